"""The contract of an engine on Ray, and what more a cluster can do to one.

Run inside the namespace of a cluster by test_ray_engine.py.
"""

import contextlib
import json
import os
import signal
import time

import pytest

from trainwright.engine import stalls
from trainwright.engine.engine import ShardError
from trainwright.engine.merging import FAN_IN
from trainwright.engine.on_ray.ray_engine import RayEngine
from trainwright.engine.passes import PassSpec, Shard
from trainwright.testing.engine_contract import (
    JOIN,
    EngineContract,
    JoinWords,
    MakeBytes,
    word_shards,
)

# Processes that only import passes from here have none.
ADDRESS = os.environ.get("RAY_TEST_ADDRESS", "")


class KillRayWorker(JoinWords):
    """Kills the Ray worker that hosts its process, once if there is a marker for it."""

    def add(self, accumulator, shard, report):
        marker = shard.config.get("kill_host")
        if marker is not None and not (marker and os.path.exists(marker)):
            if marker:
                open(marker, "w").close()
            os.kill(os.getppid(), signal.SIGKILL)
            time.sleep(60)
        return super().add(accumulator, shard, report)


class SlowBytes(MakeBytes):
    """Takes its time, and goes on when the node that is to die has some of the work: on a busy
    machine its first process may come late."""

    def __init__(self, raylet, begun):
        self._raylet = raylet
        self._begun = begun

    def add(self, accumulator, shard, report):
        if self._raylet in _ancestors():
            open(self._begun, "w").close()
        deadline = time.monotonic() + 30
        while not os.path.exists(self._begun) and time.monotonic() < deadline:
            time.sleep(0.05)
        time.sleep(0.1)
        report(1)
        return super().add(accumulator, shard, report)


def _ancestors():
    """The processes above this one."""
    found = [os.getpid()]
    while found[-1] > 1:
        with open(f"/proc/{found[-1]}/stat") as stat:
            found.append(int(stat.read().rpartition(")")[2].split()[1]))
    return found


class TestRayEngine(EngineContract):
    @pytest.fixture
    def engine(self):
        return RayEngine(ADDRESS)

    def shards(self, **kill_b):
        return [
            Shard(name=f"shard {word}", config={"words": [word], **(kill_b if word == "b" else {})})
            for word in "abc"
        ]

    def test_a_shard_that_takes_long_is_named(self, engine, monkeypatch, caplog):
        monkeypatch.setattr(stalls, "SECONDS", 0.4)
        shards = word_shards("a", "b", b={"sleep": 3})
        assert engine.accumulate(JOIN, shards) == "a-b"
        assert "1 shard is under way, of which shard b was begun first" in caplog.text

    def test_a_killed_ray_worker_costs_its_shard_a_try(self, engine, tmp_path, caplog):
        spec = PassSpec(f"{__name__}:KillRayWorker", {"separator": "-"})
        found = engine.accumulate(spec, self.shards(kill_host=str(tmp_path / "killed")))
        assert found == "a-b-c"
        assert "shard b was lost and is tried again" in caplog.text

    def test_a_shard_that_kills_its_ray_worker_twice_is_named(self, engine):
        spec = PassSpec(f"{__name__}:KillRayWorker", {"separator": "-"})
        with pytest.raises(ShardError, match=r"^shard b was tried 2 times and failed: it was lost"):
            engine.accumulate(spec, self.shards(kill_host=""))

    def test_a_lost_node_costs_what_was_on_it(self, engine, caplog, tmp_path):
        pids = json.loads(os.environ["RAY_TEST_DOOMED"])

        def kill(done):
            # By then it has results that are not merged yet, and shards that are not done.
            while done >= FAN_IN // 2 and pids:
                with contextlib.suppress(ProcessLookupError):  # a process of Ray that was idle
                    os.kill(pids.pop(), signal.SIGKILL)

        begun = str(tmp_path / "begun")
        spec = PassSpec(f"{__name__}:SlowBytes", {"raylet": pids[0], "begun": begun})
        shards = [Shard(name=str(n), config={"times": 4000}) for n in range(3 * FAN_IN)]
        assert engine.accumulate(spec, shards, kill) == 3 * FAN_IN * 256 * 4000
        assert "was lost and is tried again" in caplog.text


class TestRayEngineWithDisksOfItsOwn(EngineContract):
    @pytest.fixture
    def engine(self):
        return RayEngine(ADDRESS, shares_filesystem=False)
