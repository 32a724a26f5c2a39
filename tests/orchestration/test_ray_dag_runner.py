"""RayDagRunner on a cluster of three nodes: runs, crashes of user code, and what dies under it."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import sys
import time
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE / "ray_nodes")]

from documented_output import block  # noqa: E402
from ray_runs import RayRuns  # noqa: E402
from store_audit import audit  # noqa: E402

# Nodes of Ray that a test adds would be used by another test, too.
pytestmark = pytest.mark.xdist_group("ray_cluster")


@pytest.fixture
def runs(ray_cluster, tmp_path):
    return lambda **settings: RayRuns(ray_cluster, tmp_path, **settings)


@contextlib.contextmanager
def added_node(cluster, *, cpus):
    node = cluster.add_node(cpus=cpus)
    try:
        yield node
    finally:
        cluster.remove_node(node)


def count_cached(told):
    return told.count("cached, reuses execution")


def kill(cluster, pid, number=signal.SIGKILL):
    """Sends a signal to a process, as the cluster numbers them."""
    cluster.run(f"import os; os.kill({pid}, {int(number)})")


CONTRACT = HERE / "ray_nodes" / "contract_of_ray_launcher.py"
# Those that show what is Ray's in it; each needs actors of its own, which take seconds to start.
SHORT_CONTRACT = "exception or not_a_message or all_nodes or share"


@pytest.mark.parametrize("some", [SHORT_CONTRACT, pytest.param("", marks=pytest.mark.soak)])
def test_the_launcher_keeps_its_contract(ray_cluster, some):
    pytest_command = ["-m", "pytest", "-q", "-p", "no:cacheprovider", str(CONTRACT), "-k", some]
    environment = {"RAY_ADDRESS_OF_TEST": ray_cluster.address}
    finished = ray_cluster.run(pytest_command, env=environment, timeout=500)
    assert " passed" in finished.stdout


def test_a_pipeline_runs_on_the_cluster_and_crashes_of_user_code_are_told(runs):
    crashing = runs(crashes="exit segfault")
    process = crashing.start_command()
    assert process.wait(120) == 1, crashing.text
    assert "one | the number is 1" in crashing.text
    assert "exit | about to exit" in crashing.text
    died = "FAILED with WorkerDied: the node's process"
    assert f"exit: {died} ended with exit code 7" in crashing.text
    [shown] = block("docs/ray.md", "train: FAILED").splitlines()
    assert shown.replace("train", "segfault", 1) in crashing.text
    assert f"segfault: {died} was killed by signal 11" in crashing.text
    assert "last: done" in crashing.text
    [log] = crashing.root.glob("exit/.system/executor_execution/*/executor.log")
    assert log.read_text().startswith("about to exit\n")
    healed = runs()
    told = healed.finish()
    assert count_cached(told) == 4


def test_a_root_in_an_object_store_needs_no_files_that_both_see(ray_cluster, tmp_path):
    program = str(HERE / "ray_nodes" / "remote_root.py")
    told = ray_cluster.run([program, ray_cluster.address, str(tmp_path)]).stderr
    assert "one | the number is 1" in told
    assert "sums: complete" in told
    assert count_cached(told) == 4


def test_what_no_node_of_the_cluster_has_is_refused_before_the_run(runs):
    run = runs(cpus=9)
    assert run.start_command().wait(120) == 2
    assert "The node 'total' needs 9 CPUs, and no node of the Ray cluster" in run.text
    assert not run.root.exists()


def test_a_node_goes_on_elsewhere_when_the_process_of_ray_above_it_is_killed(runs):
    run = runs(seconds=5)
    process = run.start()
    first = run.wait_for_life()
    kill(run.cluster, first[1])
    second = run.wait_for_life(besides=frozenset({first[0]}))
    assert second[1] != first[1]
    assert not run.is_at_work(first)
    assert process.wait(120) == 0, run.text
    assert "its place in the Ray cluster, on" in run.text


def test_a_run_goes_on_when_a_node_of_ray_dies_with_all_that_is_on_it(runs):
    run = runs(seconds=5, cpus=4)
    with added_node(run.cluster, cpus=4) as node:
        process = run.start()
        first = run.wait_for_life()
        run.cluster.signal_node(node, signal.SIGKILL)
        # There is no other place for it, until there is.
        run.wait_for(r"total \| Waits for 4 CPUs on the Ray cluster")
    with added_node(run.cluster, cpus=4):
        run.wait_for_life(besides=frozenset({first[0]}))
        assert process.wait(120) == 0, run.text
        assert count_cached(run.finish()) == 4


def test_what_a_killed_run_has_started_ends_with_it_and_the_next_run_goes_on(runs):
    run = runs(seconds=5)
    process = run.start()
    life = run.wait_for_life()
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    told = run.finish()
    assert not run.is_at_work(life)
    assert count_cached(told) == 2
    assert count_cached(run.finish()) == 4


@pytest.mark.soak
def test_a_run_goes_on_when_a_node_of_ray_freezes(runs):
    run = runs(seconds=5, cpus=4)
    with added_node(run.cluster, cpus=4) as node:
        process = run.start()
        first = run.wait_for_life()
        run.cluster.signal_node(node, signal.SIGSTOP)
        with added_node(run.cluster, cpus=4):
            second = run.wait_for_life(besides=frozenset({first[0]}))
            # It wakes up, and sees that it has no business there any more.
            run.cluster.signal_node(node, signal.SIGCONT)
            assert process.wait(120) == 0, run.text
            assert not run.is_at_work(first)
            assert second[1] != first[1]
            assert count_cached(run.finish()) == 4


@pytest.mark.soak
def test_nothing_is_done_twice_when_ray_takes_a_node_for_dead_that_is_not(runs):
    run = runs(seconds=12, cpus=4)
    with added_node(run.cluster, cpus=4) as node, added_node(run.cluster, cpus=4):
        process = run.start()
        first = run.wait_for_life()
        run.cluster.signal_node(node, signal.SIGKILL, children=False)
        assert process.wait(120) == 0, run.text
        assert not run.is_at_work(first)
        assert count_cached(run.finish()) == 4


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(8))
def test_a_run_that_is_killed_at_any_moment_is_finished_by_the_next(runs, seed):
    run = runs(seconds=1)
    moment = random.Random(seed).uniform(1.0, 9.0)
    process = run.start()
    time.sleep(moment)
    process.kill()
    process.wait()
    run.finish()
    assert count_cached(run.finish()) == 4
    assert not any(run.is_at_work(life) for life in run.lives())


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(6))
def test_a_run_survives_the_death_of_any_process_of_ray_below_which_its_nodes_are(runs, seed):
    run = runs(seconds=3)
    process = run.start()
    first = run.wait_for_life()
    time.sleep(random.Random(seed).uniform(0.0, 3.0))
    run.cluster.run(f"import os; os.kill({first[1]}, 9)", check=False)
    assert process.wait(120) == 0, run.text
    assert audit(run.root) == []
    assert count_cached(run.finish()) == 4


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
def test_a_node_of_ray_dies_or_freezes_at_any_moment(runs, number, seed):
    run = runs(seconds=3, cpus=4)
    with added_node(run.cluster, cpus=4) as node:
        process = run.start()
        run.wait_for("one: started")
        time.sleep(random.Random(seed).uniform(0.0, 6.0))
        run.cluster.signal_node(node, number)
        with added_node(run.cluster, cpus=4):
            assert process.wait(120) == 0, run.text
            if number == signal.SIGSTOP:
                # It wakes up when its work was done by another.
                run.cluster.signal_node(node, signal.SIGCONT)
                time.sleep(2)
                assert not any(run.is_at_work(life) for life in run.lives())
            assert count_cached(run.finish()) == 4
