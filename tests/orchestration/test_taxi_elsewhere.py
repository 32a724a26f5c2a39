"""The taxi example, unchanged, elsewhere: RayDagRunner and the engine on a Ray cluster of three
nodes, its root in S3, its metadata in PostgreSQL."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
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
# Nodes whose files depend on nothing but the data. Below are those of their files that differ
# between two runs on one machine, too.
DETERMINISTIC = (
    "CsvExampleGen",
    "StatisticsGen",
    "SchemaGen",
    "ExampleValidator",
    "Transform",
    "Trainer",
    "Evaluator",
)
# tf.Transform names lookup tables by the temporary files of their vocabularies, which a graph keeps
# and so does that of a model around it. Otherwise two of them are equal as messages.
GRAPHS = ("saved_model.pb", "fingerprint.pb")
# These name the files that were read: by where they are, or by what their store says of them.
NAMES_OF_FILES = ("/eval_config.json", "/updated_analyzer_cache/")

# The example names a file as its metadata store, which a command line does not replace.
WITH_STORE = """
import pipeline as taxi

def create_pipeline(store: str, rows: int, train_steps: int, eval_steps: int):
    made = taxi.create_pipeline(rows=rows, train_steps=train_steps, eval_steps=eval_steps)
    made.metadata_connection_config = store
    return made
"""

METADATA_AND_OBJECTS = """
import json, os, sys, urllib.request
sys.path.insert(0, sys.argv[1])
from object_store import ObjectStore
from trainwright.testing.postgres_server import PostgresServer

with PostgresServer() as metadata, ObjectStore(port=int(sys.argv[2])) as objects:
    objects.create_bucket("taxi")
    print(metadata.create_database(), flush=True)
    sys.stdin.read()
"""
FETCH = """
import json, sys
from trainwright.storage import objects, uris
root, nodes = sys.argv[1:]
found = {uris.relative(facts.uri, root): facts.uri for facts in objects.list_tree(root)}
wanted = tuple(f"{node}/" for node in json.loads(nodes))
print(json.dumps({name: objects.read(uri).hex() for name, uri in found.items()
                  if name.startswith(wanted)}))
"""


@pytest.fixture
def cluster_and_store(monkeypatch):
    """A cluster whose machines have what leads to the objects in their environment, and the URL of
    a metadata store that its machines reach."""
    if reason := clusters.reason_to_skip():
        pytest.skip(reason)
    for name, value in S3.items():
        monkeypatch.setenv(name, value)
    directory = Path(tempfile.mkdtemp(prefix="ray-"))
    cluster = clusters._join(clusters._start(directory))
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    servers = cluster.start(["-c", METADATA_AND_OBJECTS, str(HERE.parent), str(PORT)], **pipes)
    try:
        yield cluster, servers.stdout.readline().strip()
    finally:
        servers.stdin.close()
        servers.wait(60)
        cluster.connection.close()


def content_of(files):
    """What is compared of files: those of a node's executions in the order of these, by path
    without the number of the execution, which differs."""
    found = defaultdict(list)
    for name, content in sorted(files.items(), key=number_of_execution):
        is_named = any(part in name for part in NAMES_OF_FILES)
        if "/.system/" not in name and not name.endswith(GRAPHS) and not is_named:
            steps = name.split("/")
            found[(*steps[:2], *steps[3:])].append(content)
    return found


def number_of_execution(file):
    step = file[0].split("/")[2]
    return int(step) if step.isdecimal() else 0


def reused(told):
    return {line.split()[1] for line in told.splitlines() if "cached, reuses execution" in line}


@pytest.mark.soak
def test_the_taxi_example_elsewhere_makes_what_it_makes_here(cluster_and_store, tmp_path):
    cluster, store = cluster_and_store
    here, there = tmp_path / "here", tmp_path / "there"
    for place in (here, there):
        shutil.copytree(EXAMPLE, place, ignore=shutil.ignore_patterns("output", "__pycache__"))
    command = ["-m", "trainwright", "run"]

    def run_here():
        finished = subprocess.run(
            [sys.executable, *command, "pipeline.py", *SMALL],
            cwd=here,
            check=True,
            capture_output=True,
            text=True,
        )
        return reused(finished.stderr)

    # Its first run has no blessed model to compare with, so that the second evaluates again; to
    # the third nothing is new but which blessing the Resolver finds.
    reused_here = [run_here() for _ in range(3)]
    assert [len(nodes) for nodes in reused_here] == [0, 6, 8]
    shutil.copytree(here / "output" / "data", there / "output" / "data")

    root = "s3://taxi/deep/root"
    (there / "with_store.py").write_text(WITH_STORE)
    pipeline = ["with_store.py", *SMALL, "--set", f"store={store}"]
    elsewhere = ["--root", root, "--runner", "ray", "--address", cluster.address]
    engine = ["--engine", f"ray://{cluster.address}"]
    environment = {
        "TRAINWRIGHT_CACHE_DIR": str(tmp_path / "cache"),
        "XDG_STATE_HOME": os.environ["XDG_STATE_HOME"],
        "PWD": str(there),
    }

    def run_there():
        everything = [sys.executable, *command, *pipeline, *elsewhere, *engine]
        finished = cluster.run_command(everything, env=environment, timeout=400)
        assert finished.returncode == 0, finished.stderr
        assert "remembered in postgresql://" in finished.stderr
        return reused(finished.stderr)

    previous = os.getcwd()
    os.chdir(there)  # where the cluster's commands begin
    try:
        assert [run_there() for _ in range(3)] == reused_here
    finally:
        os.chdir(previous)
    fetched = json.loads(cluster.run(FETCH, root, json.dumps(DETERMINISTIC)).stdout)
    made_there = content_of({name: bytes.fromhex(text) for name, text in fetched.items()})
    base = here / "output" / "artifacts"
    made_here = content_of(
        {
            str(path.relative_to(base)): path.read_bytes()
            for node in DETERMINISTIC
            for path in base.glob(f"{node}/**/*")
            if path.is_file()
        }
    )
    assert made_here.keys() == made_there.keys()
    different = [name for name in made_here if made_here[name] != made_there[name]]
    assert different == []
