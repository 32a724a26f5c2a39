"""LocalEngine: the contract, by several processes and by one, and what is its own."""

from __future__ import annotations

import os
import time

import pytest

from trainwright.engine.engine import ShardError
from trainwright.engine.local_engine import LocalEngine, _run_in
from trainwright.engine.passes import PassSpec, Shard
from trainwright.processes.progress import Progress
from trainwright.testing.engine_contract import JOIN, EngineContract, word_shards


class TestTwoProcesses(EngineContract):
    @pytest.fixture
    def engine(self):
        return LocalEngine(2, inline_bytes=-1)


class TestFourProcesses(EngineContract):
    @pytest.fixture
    def engine(self):
        return LocalEngine(4, inline_bytes=-1)


class TestInline(EngineContract):
    HAS_WORKERS = False

    @pytest.fixture
    def engine(self):
        return LocalEngine(1)


@pytest.mark.parametrize("processes", [0, -1])
def test_refuses_no_processes(processes):
    with pytest.raises(ValueError, match=f"processes is {processes}: expected 1 or more"):
        LocalEngine(processes)


def test_small_inputs_start_no_processes(monkeypatch):
    monkeypatch.setattr("trainwright.engine.local_engine.TaskPool", None)
    shards = [Shard(name=text, config={"words": [text]}, size=1000) for text in "abc"]
    assert LocalEngine(4).accumulate(JOIN, shards) == "a-b-c"


def test_the_error_of_the_calling_process_keeps_its_cause():
    with pytest.raises(ShardError) as raised:
        LocalEngine(1).accumulate(JOIN, word_shards("a", a={"fail": ""}))
    assert isinstance(raised.value.__cause__, ValueError)


def test_results_that_nobody_takes_are_bounded(tmp_path):
    """While the first shard is slow, the others wait: only a bounded number of results is held."""
    spec = PassSpec(
        "trainwright.testing.engine_contract:WriteLengths", {"directory": str(tmp_path)}
    )
    shards = [Shard(name=str(n), config={"text": ""}) for n in range(50)]
    results = LocalEngine(2, inline_bytes=-1).run(spec, shards)
    next(results)
    time.sleep(1)
    assert len(os.listdir(tmp_path)) <= 5
    results.close()


def test_processes_end_with_the_pass():
    with LocalEngine(2, inline_bytes=-1)._start_pool(2) as pool:
        ids = pool.process_ids
        assert len(list(_run_in(pool, JOIN, word_shards("a", "b", "c"), Progress(None)))) == 3
    for pid in ids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_processes_end_with_a_pass_that_is_broken_off():
    began = time.monotonic()
    ids = []

    def break_off():
        with LocalEngine(2, inline_bytes=-1)._start_pool(2) as pool:
            ids.extend(pool.process_ids)
            shards = word_shards("a", "b", b={"sleep": 60})
            for _ in _run_in(pool, JOIN, shards, Progress(None)):
                raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        break_off()
    assert time.monotonic() - began < 30
    for pid in ids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_processes_are_kept_from_one_pass_to_the_next(tmp_path):
    spec = PassSpec(
        "trainwright.testing.engine_contract:WriteLengths", {"directory": str(tmp_path)}
    )
    shards = [Shard(name=str(n), config={"text": "word"}) for n in range(4)]
    with LocalEngine(2, inline_bytes=-1) as engine:
        engine.warm_up(shards)
        before = engine._pool.process_ids
        assert engine.accumulate(JOIN, word_shards("a", "b", "c")) == "a-b-c"
        assert len(engine.map(spec, shards)) == 4
        assert sorted(engine._pool.process_ids) == sorted(before)
    for pid in before:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_a_pass_that_failed_leaves_nothing_to_the_next():
    with LocalEngine(2, inline_bytes=-1) as engine:
        with pytest.raises(ShardError):
            engine.accumulate(JOIN, word_shards("a", "b", "c", a={"fail": ""}, c={"sleep": 60}))
        assert engine.accumulate(JOIN, word_shards("d", "e", "f")) == "d-e-f"


def test_processes_import_what_they_were_told_to():
    engine = LocalEngine(2, inline_bytes=-1, preload=["no_such_module"])
    with engine, pytest.raises(ShardError, match="ended with exit status 1"):
        engine.accumulate(JOIN, word_shards("a", "b"))


def test_a_script_without_a_main_guard_is_not_run_again(run_script):
    finished = run_script(
        """
        from trainwright.engine.local_engine import LocalEngine
        from trainwright.testing.engine_contract import JOIN, word_shards

        print("once")
        print(LocalEngine(2, inline_bytes=-1).accumulate(JOIN, word_shards("a", "b")))
        """
    )
    assert finished.stdout.splitlines() == ["once", "a-b"]


def test_the_engine_is_light():
    """Neither it nor its workers import what takes long."""
    import subprocess
    import sys

    code = (
        "import sys, trainwright.engine.local_engine, trainwright.engine.worker\n"
        "print([m for m in ('numpy', 'pyarrow', 'tensorflow', 'apache_beam') if m in sys.modules])"
    )
    output = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout
    assert output.strip() == "[]"


FORKING = """
    import os, sys, threading
    import trainwright.testing.engine_contract as contract
    from trainwright.engine.local_engine import LocalEngine

    def make_engine():
        return LocalEngine(2, inline_bytes=-1, can_fork=lambda: True)
"""


def test_forks_give_what_fresh_interpreters_give(run_script):
    finished = run_script(
        FORKING
        + """
    with make_engine() as engine:
        print(engine.accumulate(contract.JOIN, contract.word_shards("a", "b", "c")))
        parents = {open(f"/proc/{pid}/cmdline").read() for pid in engine._pool.process_ids}
        print(parents == {open("/proc/self/cmdline").read()})
        print(engine.accumulate(contract.JOIN, contract.word_shards("d", "e", "f")))
    """
    )
    assert finished.stdout.splitlines() == ["a-b-c", "True", "d-e-f"]


def test_a_fork_that_is_killed_costs_its_shard_and_not_the_pass(run_script, tmp_path):
    finished = run_script(
        FORKING
        + f"""
    shards = contract.word_shards("a", "b", "c", b={{"kill": {str(tmp_path / "once")!r}}})
    with make_engine() as engine:
        print(engine.accumulate(contract.JOIN, shards))
    try:
        with make_engine() as engine:
            engine.accumulate(contract.JOIN, contract.word_shards("a", "b", b={{"kill": ""}}))
    except contract.ShardError as error:
        print(error)
    """
    )
    first, second = finished.stdout.splitlines()
    assert first == "a-b-c"
    assert "was killed by SIGKILL" in second


def test_forks_end_with_their_parent(run_script, tmp_path):
    finished = run_script(
        FORKING
        + """
    engine = make_engine().__enter__()
    engine.warm_up(contract.word_shards("a", "b"))
    print(*engine._pool.process_ids, flush=True)
    os._exit(0)
    """
    )
    deadline = time.monotonic() + 30
    for pid in map(int, finished.stdout.split()):
        while os.path.exists(f"/proc/{pid}"):
            assert time.monotonic() < deadline, f"process {pid} goes on"
            time.sleep(0.05)
