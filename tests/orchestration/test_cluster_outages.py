"""Outages at random moments of what RayDagRunner relies on: nothing is lost or done twice.

All of it takes minutes, so that `make test` has one example of each kind elsewhere:
test_ray_dag_runner.py, test_s3_roots.py, test_postgres_runs.py.
"""

from __future__ import annotations

import contextlib
import os
import random
import signal
import sys
import tempfile
import threading
import time
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE / "ray_nodes")]

import ray_cluster as clusters  # noqa: E402
from ray_runs import RayRuns  # noqa: E402
from servers import Servers  # noqa: E402

pytestmark = [pytest.mark.soak, pytest.mark.xdist_group("ray_cluster")]

AWAY_SECONDS = "20"
# More than one part of a multipart upload each.
LARGE = 12 << 20


@pytest.fixture(scope="module")
def servers(ray_cluster):
    with Servers.started(ray_cluster) as servers:
        yield servers


@pytest.fixture
def remote_runs(ray_cluster, servers, tmp_path):
    """Runs with metadata in PostgreSQL and artifacts in S3."""
    bucket = servers.do("make_bucket")
    return lambda **settings: RayRuns(ray_cluster, tmp_path, servers, bucket, **settings)


def check_that_all_is_done(run):
    """A run has nothing to do any more."""
    told = run.finish()
    assert told.count("cached, reuses execution") == (6 if "size" in run.settings else 4), told


def wait_into(run, seed, seconds):
    """Waits for a moment between the first step of a run and this long after it."""
    run.wait_for("one: started")
    time.sleep(random.Random(seed).uniform(0.0, seconds))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("what", ["freeze_metadata", "kill_metadata"])
def test_a_run_outlives_twenty_seconds_without_its_metadata(remote_runs, what, seed):
    run = remote_runs(seconds=3)
    process = run.start()
    wait_into(run, seed, 4.0)
    assert process.poll() is None
    run.servers.do(what, AWAY_SECONDS)
    assert process.wait(120) == 0, run.text
    assert run.audit() == []
    check_that_all_is_done(run)


@pytest.mark.parametrize("seed", range(6))
def test_a_run_or_the_next_outlives_twenty_seconds_without_the_object_store(remote_runs, seed):
    run = remote_runs(seconds=2, size=LARGE)
    process = run.start()
    wait_into(run, seed, 4.0)
    assert process.poll() is None
    run.servers.do("freeze_objects", AWAY_SECONDS)
    # It waits, or gives up in words.
    assert process.wait(180) in (0, 1), run.text
    assert "Traceback" not in run.text
    run.finish()
    check_that_all_is_done(run)


@pytest.mark.parametrize("seed", range(6))
def test_an_upload_from_a_machine_of_the_cluster_that_is_killed_leaves_nothing(remote_runs, seed):
    run = remote_runs(seconds=1, size=LARGE)
    process = run.start()
    run.wait_for("write: started")
    time.sleep(random.Random(seed).uniform(0.5, 4.0))
    process.kill()  # its actors end with it, in the middle of what they do
    process.wait()
    run.finish()
    check_that_all_is_done(run)
    root, store = run.root, run.settings["store"]
    assert run.servers.do("uploads_after_gc", store, root, "sums") == ""


@contextlib.contextmanager
def another_cluster():
    """A cluster of this test's own, which it may destroy."""
    if reason := clusters.reason_to_skip():
        pytest.skip(reason)
    cluster = clusters._join(clusters._start(Path(tempfile.mkdtemp(prefix="ray-"))))
    try:
        yield cluster
    finally:
        cluster.connection.close()


@pytest.mark.parametrize("seed", range(3))
def test_a_lost_cluster_is_replaced_by_another_for_the_next_run(tmp_path, seed):
    with another_cluster() as cluster:
        run = RayRuns(cluster, tmp_path, seconds=4)
        process = run.start()
        wait_into(run, seed, 5.0)
        cluster.kill_head()
        # Ray ends a process that has lost its cluster, unless the run was done before.
        process.wait(120)
    with another_cluster() as cluster:
        run.cluster = cluster
        # To this cluster's processes the dead run was on another host: its lease has to run out.
        run.finish(patience=240)
        check_that_all_is_done(run)


@pytest.mark.parametrize("seed", range(4))
def test_the_driver_dies_while_its_metadata_is_away(remote_runs, seed):
    """Two faults at once: what was done before counts, the rest is done by the next run."""
    run = remote_runs(seconds=2)
    process = run.start()
    wait_into(run, seed, 3.0)
    later = random.Random(seed).uniform(0.0, 5.0)
    killing = threading.Timer(later, os.kill, (process.pid, signal.SIGKILL))
    killing.start()
    run.servers.do("kill_metadata", "6")
    killing.join()
    process.wait()
    run.finish()
    check_that_all_is_done(run)
