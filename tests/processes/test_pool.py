"""TaskPool: order, bounds and second tries, and processes that end when they should."""

from __future__ import annotations

import os
import signal
import socket
import threading
import time
from pathlib import Path

import pytest

from trainwright.processes.pool import PoolStoppedError, Task, TaskPool
from trainwright.processes.progress import Progress
from trainwright.processes.tasks import InvalidTaskError, TaskFailedError, serve_tasks


def serve(sock: socket.socket) -> None:
    """What the processes here do: they answer a task with its data and the name of the job."""
    serve_tasks(sock, lambda job: open_job(sock, job))


def open_job(sock, job):
    if job == "broken":
        raise LookupError("no such job")

    def do(config, data, report):
        report(1)
        time.sleep(config.get("sleep", 0))
        if "kill_once" in config and not Path(config["kill_once"]).exists():
            Path(config["kill_once"]).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        if config.get("fail"):
            raise OSError("cannot")
        if config.get("refuse"):
            raise InvalidTaskError("will not")
        if config.get("babble"):
            sock.sendall(b"what user code wrote into a descriptor that it did not open")
        return f"{job}: ".encode() + data

    return do


@pytest.fixture(scope="module")
def pool():
    """One for all tests: whatever a job does, it leaves the pool ready for the next."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(os.path.dirname(__file__))
        with TaskPool("test_pool:serve", 2) as pool:
            yield pool


def tasks(*data: str, **configs):
    return [Task(f"task {d}", configs.get(d, {}), d.encode()) for d in data]


def run(pool, tasks, job="job", report=None):
    return [result.decode() for result in pool.run(job, tasks, Progress(report))]


def is_running(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_results_come_in_the_order_of_the_tasks(pool):
    names = [str(number) for number in range(9)]
    found = run(pool, tasks(*names, **{"0": {"sleep": 0.5}}))
    assert found == [f"job: {name}" for name in names]


def test_one_job_after_the_other_by_the_same_processes(pool):
    before = sorted(pool.process_ids)
    assert run(pool, tasks("a", "b"), "first") == ["first: a", "first: b"]
    assert run(pool, [], "nothing") == []
    assert run(pool, tasks("a"), "second") == ["second: a"]
    assert sorted(pool.process_ids) == before


def test_tasks_are_made_when_a_process_is_free_and_one_ahead(pool):
    made = []

    def make():
        for task in tasks(*map(str, range(50))):
            made.append(task)
            yield task

    results = pool.run("job", make(), Progress(None))
    next(results)
    time.sleep(0.5)
    # The one whose turn it was, and two for each process.
    assert len(made) <= 5
    assert len(list(results)) == 49


def test_the_next_task_is_made_while_the_processes_are_busy(pool):
    made = []
    made_at_reports = []

    def make():
        for task in tasks("a", "b", "c"):
            made.append(task)
            yield task

    run(pool, make(), report=lambda units: made_at_reports.append(len(made)))
    # A report comes before the result: no process was free when it was heard.
    assert made_at_reports == [3, 3, 3]


def test_what_makes_the_tasks_may_raise(pool):
    def make():
        yield from tasks("a", "b", b={"sleep": 60})
        raise ZeroDivisionError

    began = time.monotonic()
    with pytest.raises(ZeroDivisionError):
        run(pool, make())
    assert time.monotonic() - began < 30
    assert run(pool, tasks("c")) == ["job: c"]


def test_a_process_that_dies_costs_its_task_a_try(pool, tmp_path, caplog):
    reported = []
    killing = {"kill_once": str(tmp_path / "once")}
    assert run(pool, tasks("a", "b", "c", b=killing), report=reported.append) == [
        "job: a",
        "job: b",
        "job: c",
    ]
    assert reported[-1] == 3
    assert "task b failed and is tried again: its process" in caplog.text
    assert "was killed by SIGKILL" in caplog.text


def test_a_process_that_was_killed_while_it_was_idle_costs_a_try(pool):
    for pid in pool.process_ids:
        os.kill(pid, signal.SIGKILL)
    assert run(pool, tasks("a", "b", "c")) == ["job: a", "job: b", "job: c"]


@pytest.mark.parametrize(
    ("config", "cause"),
    [
        ({"fail": True}, "OSError: cannot"),
        ({"babble": True}, r"what came from its process \d+ is not an answer: expected a message"),
    ],
)
def test_the_second_failure_names_the_task(pool, config, cause):
    with pytest.raises(TaskFailedError, match=f"^task b was tried 2 times and failed: {cause}"):
        run(pool, tasks("a", "b", "c", b=config))
    assert run(pool, tasks("d")) == ["job: d"]


def test_what_cannot_be_done_is_not_tried_again(pool, caplog):
    with pytest.raises(InvalidTaskError, match=r"^will not$"):
        run(pool, tasks("a", "b", b={"refuse": True}))
    assert "tried again" not in caplog.text


def test_a_job_that_cannot_be_opened_fails_its_tasks(pool):
    with pytest.raises(TaskFailedError, match=r"^task a .*: LookupError: no such job$"):
        run(pool, tasks("a"), "broken")
    assert run(pool, tasks("a")) == ["job: a"]


def test_processes_end_with_the_block_and_with_an_exception(monkeypatch):
    monkeypatch.syspath_prepend(os.path.dirname(__file__))
    with TaskPool("test_pool:serve", 2) as pool:
        pids = pool.process_ids
        run(pool, tasks("a"))

    def interrupt():
        with TaskPool("test_pool:serve", 2) as pool:
            pids.extend(pool.process_ids)
            results = pool.run("job", tasks("a", "b", b={"sleep": 60}), Progress(None))
            next(results)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupt()
    assert len(pids) == 4
    assert not any(map(is_running, pids))


def test_another_thread_stops_a_pool_whatever_its_processes_are_doing(monkeypatch):
    monkeypatch.syspath_prepend(os.path.dirname(__file__))
    with TaskPool("test_pool:serve", 2) as pool:
        pids = pool.process_ids
        stopping = threading.Timer(0.3, pool.stop)
        stopping.start()
        began = time.monotonic()
        hanging = tasks("a", "b", a={"sleep": 60}, b={"sleep": 60})
        with pytest.raises(PoolStoppedError):
            run(pool, hanging)
        assert time.monotonic() - began < 30
        stopping.join()
        with pytest.raises(PoolStoppedError):
            run(pool, tasks("a"))
    assert not any(map(is_running, pids))


def test_a_process_that_cannot_start_is_told_with_its_status(monkeypatch):
    with (
        TaskPool("no_such_module:serve", 1) as pool,
        pytest.raises(TaskFailedError, match="task a .* ended with exit status 1. .*stderr"),
    ):
        run(pool, tasks("a"))
