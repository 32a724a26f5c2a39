"""RayDagRunner with its root in an object store: machines share nothing but the store."""

from __future__ import annotations

import json
import subprocess
import sys
import uuid
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE / "ray_nodes")]

from ray_cluster import ray_cluster  # noqa: E402, F401

from trainwright.storage import objects  # noqa: E402


@pytest.fixture
def root():
    bucket = f"memory://test-{uuid.uuid4().hex[:12]}"
    yield f"{bucket}/root"
    objects.remove_tree(bucket)


def run(cluster, tmp_path, root):
    """Runs the pipeline with a disk of the run's own, which the nodes' machines do not see."""
    hidden = tmp_path / "hidden"
    hidden.mkdir(exist_ok=True)
    script = [str(HERE / "ray_nodes" / "keeping.py"), json.dumps({"address": cluster.address})]
    command = cluster.command([sys.executable, *script, root, str(tmp_path / "metadata.db")])
    place = command.index(sys.executable)
    mount = ["unshare", "--mount", "sh", "-c", 'mount -t tmpfs none "$0" && exec "$@"', str(hidden)]
    environment = {**cluster.environment, "TRAINWRIGHT_CACHE_DIR": str(hidden / "cache")}
    return subprocess.run(
        [*command[:place], *mount, *command[place:]],
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
    )


def test_what_a_killed_node_kept_is_fetched_by_the_next_attempt(ray_cluster, tmp_path, root):  # noqa: F811
    first = run(ray_cluster, tmp_path, root)
    assert first.returncode == 1, first.stderr
    assert "was killed by signal 9" in first.stderr
    assert objects.read(f"{root}/Train/run/2/checkpoint") == b"one two three"
    assert not objects.exists(f"{root}/Train/model/2")
    log = objects.read(f"{root}/Train/.system/executor_execution/2/executor.log").decode()
    assert "killed in " in log
    assert str(tmp_path) not in log, "it wrote to its own machine's disk"
    work = Path(log.partition("killed in ")[2].split()[0])
    assert not work.exists()
    again = run(ray_cluster, tmp_path, root)
    assert again.returncode == 0, again.stderr
    assert "write: cached" in again.stderr
    assert objects.read(f"{root}/Train/model/4/weights") == b"one two three 7"
