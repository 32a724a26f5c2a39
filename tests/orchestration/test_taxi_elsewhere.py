"""The taxi example, unchanged, on a Ray cluster of three nodes with its root in S3."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent)]

import ray_cluster as clusters  # noqa: E402

EXAMPLE = HERE.parents[1] / "examples" / "taxi"
SMALL = ["--set", "rows=3000", "--set", "train_steps=60", "--set", "eval_steps=10"]
# The namespace is the cluster's own, so that the port is free.
PORT = 5555
S3 = {
    "AWS_ENDPOINT_URL": f"http://127.0.0.1:{PORT}",
    "AWS_ACCESS_KEY_ID": "access-key-of-tests",
    "AWS_SECRET_ACCESS_KEY": "secret-key-of-tests",
    "AWS_REGION": "us-east-1",
    "AWS_ALLOW_HTTP": "true",
}
# Artifacts that depend on nothing but the data.
DETERMINISTIC = ("CsvExampleGen", "StatisticsGen", "SchemaGen", "ExampleValidator")

SERVER = f"from moto.server import main; main(['-H', '127.0.0.1', '-p', '{PORT}'])"
FETCH = """
import json, sys, urllib.request
from trainwright.storage import objects, uris
root, what = sys.argv[1:]
if what == "bucket":
    request = urllib.request.Request("http://127.0.0.1:5555/taxi", method="PUT", data=b"")
    urllib.request.urlopen(request, timeout=5).close()
else:
    found = objects.list_tree(root)
    print(json.dumps({uris.relative(one.uri, root): objects.read(one.uri).hex() for one in found
                      if uris.relative(one.uri, root).startswith(tuple(json.loads(what)))}))
"""


@pytest.fixture
def cluster(monkeypatch):
    """A cluster whose machines have what leads to the store in their environment."""
    if reason := clusters.reason_to_skip():
        pytest.skip(reason)
    for name, value in S3.items():
        monkeypatch.setenv(name, value)
    directory = Path(tempfile.mkdtemp(prefix="ray-"))
    cluster = clusters._join(clusters._start(directory))
    server = cluster.start(["-c", SERVER], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(200):
            if cluster.run(FETCH, "s3://taxi", "bucket", check=False).returncode == 0:
                break
            time.sleep(0.2)
        yield cluster
    finally:
        server.kill()
        server.wait()
        cluster.connection.close()


def outputs_of(names):
    """By path without the number of the execution, which differs."""
    return {
        tuple(step for place, step in enumerate(name.split("/")) if place != 2): content
        for name, content in names.items()
        if "/.system/" not in name
    }


@pytest.mark.soak
def test_the_taxi_example_elsewhere_makes_what_it_makes_here(cluster, tmp_path):
    here, there = tmp_path / "here", tmp_path / "there"
    for place in (here, there):
        shutil.copytree(EXAMPLE, place, ignore=shutil.ignore_patterns("output", "__pycache__"))
    command = [sys.executable, "-m", "trainwright", "run", "pipeline.py", *SMALL, "--quiet"]
    subprocess.run(command, cwd=here, check=True, capture_output=True)
    shutil.copytree(here / "output" / "data", there / "output" / "data")

    root = "s3://taxi/deep/root"
    elsewhere = ["--root", root, "--runner", "ray", "--address", cluster.address]
    engine = ["--engine", f"ray://{cluster.address}"]
    environment = {
        **cluster.environment,
        "TRAINWRIGHT_CACHE_DIR": str(tmp_path / "cache"),
        "XDG_STATE_HOME": os.environ["XDG_STATE_HOME"],
    }

    def run_there():
        finished = subprocess.run(
            cluster.command([*command, *elsewhere, *engine]),
            cwd=there,
            env=environment | {"PWD": str(there)},
            capture_output=True,
            text=True,
        )
        assert finished.returncode == 0, finished.stderr
        return finished.stderr

    previous = os.getcwd()
    os.chdir(there)  # where the cluster's commands begin
    try:
        run_there()
        run_there()  # which has a blessed model to compare with, as it has here
        again = run_there()
    finally:
        os.chdir(previous)
    assert again.count("cached, reuses execution") == 9, again
    fetched = json.loads(cluster.run(FETCH, root, json.dumps(DETERMINISTIC)).stdout)
    made_there = {name: bytes.fromhex(content) for name, content in fetched.items()}
    base = here / "output" / "artifacts"
    base = base if base.exists() else here / "output"
    made_here = {
        str(path.relative_to(base)): path.read_bytes()
        for node in DETERMINISTIC
        for path in base.glob(f"{node}/**/*")
        if path.is_file()
    }
    assert outputs_of(made_here).keys() == outputs_of(made_there).keys()
    assert outputs_of(made_here) == outputs_of(made_there)
