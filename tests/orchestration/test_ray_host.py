"""The actor of a node, without Ray: its processes, its lease, and logs that the run cannot see."""

from __future__ import annotations

import asyncio
import fcntl
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from trainwright.orchestration.launching.on_ray.ray_host import LEASE_OVER, NodeHost, clock
from trainwright.orchestration.launching.on_ray.remote_needs import (
    RemoteNeeds,
    merge_paths,
    modules_in,
    needs_of,
)
from trainwright.testing.launcher_contract import request_maker


@pytest.fixture
def make_request(tmp_path):
    return request_maker(tmp_path)


def begin(host, request, number=1, lease_seconds=60.0, **changed):
    arguments = {
        "lease_end": clock() + lease_seconds,
        "needs": needs_of(request),
        "header": request.header(0),
        "payload": request.payload,
        "log_path": request.log_path(),
        "preload": request.preload,
        "environment": request.environment,
        **changed,
    }
    return host.start(number, **arguments)


async def follow(host, logs):
    """All news of a process until it is over, with its log where that is shipped."""
    version, size = 0, 0
    while True:
        answer = await host.news(clock() + 60, version, [], {1: size})
        version = answer["version"]
        text = answer["logs"].get(1, b"")
        logs.append(text)
        size += len(text)
        told = answer["processes"].get(1)
        if told and told["exit_status"] is not None:
            return told


def run_one(request, **changed):
    """Runs one process; what was told of it in the end, and the log that was shipped."""

    async def act():
        host = NodeHost(sys.path, sys.prefix, 60.0)
        logs = []
        try:
            await begin(host, request, **changed)
            return await follow(host, logs), b"".join(logs)
        finally:
            await host.close()

    return asyncio.run(act())


def test_a_log_in_a_directory_that_both_see_is_not_shipped(make_request):
    request = make_request()
    told, shipped = run_one(request)
    assert told["result"]["ok"]
    assert told["exit_status"] == 0
    assert shipped == b""
    assert Path(request.log_path()).read_text() == "This is 0 of 1.\n"


def test_a_log_that_the_run_cannot_see_is_shipped(make_request, tmp_path):
    request = make_request({0: "raise"})
    log = tmp_path / "elsewhere" / "executor.log"
    told, shipped = run_one(request, log_path=str(log))
    assert told["result"]["error"]["message"] == "rank 0 was told to"
    assert shipped == b"This is 0 of 1.\n"
    assert not log.exists()


def test_an_actor_removes_what_killed_ones_have_left(make_request, tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    killed, at_work, new = (tmp_path / "temporary" / f"trainwright-ray-{n}" for n in "abc")
    for directory in (killed, at_work, new):
        directory.mkdir(parents=True)
    (killed / "in-use").touch()
    with open(at_work / "in-use", "w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        run_one(make_request(), log_path=str(tmp_path / "elsewhere" / "executor.log"))
    assert set((tmp_path / "temporary").iterdir()) == {at_work, new}


def test_an_actor_that_is_not_heard_of_ends_what_it_has_started(make_request, tmp_path):
    alive = tmp_path / "alive-0"
    request = make_request({0: "live"})
    parts = {
        "needs": vars(needs_of(request)),
        "header": request.header(0),
        "log_path": request.log_path(),
        "preload": request.preload,
        "environment": request.environment,
    }
    (tmp_path / "parts.json").write_text(json.dumps(parts))
    (tmp_path / "payload").write_bytes(request.payload)
    program = f"""
        import asyncio, json, sys
        from pathlib import Path
        sys.path[:] = {sys.path!r}
        from trainwright.orchestration.launching.on_ray.ray_host import NodeHost, clock
        from trainwright.orchestration.launching.on_ray.remote_needs import RemoteNeeds

        async def act():
            host = NodeHost(sys.path, sys.prefix, 30.0)
            parts = json.loads(Path({str(tmp_path / "parts.json")!r}).read_text())
            parts["needs"] = RemoteNeeds(**parts["needs"])
            payload = Path({str(tmp_path / "payload")!r}).read_bytes()
            await host.start(1, lease_end=0.0, payload=payload, **parts)
            while not Path({str(alive)!r}).exists():
                await asyncio.sleep(0.05)
            host._lease_end = clock() + 0.5
            await asyncio.sleep(60)

        asyncio.run(act())
    """
    lines = [line.removeprefix("        ") for line in program.splitlines()]
    finished = subprocess.run([sys.executable, "-c", "\n".join(lines)], timeout=60)
    assert finished.returncode == LEASE_OVER
    time.sleep(0.5)
    before = alive.stat().st_size
    time.sleep(0.3)
    assert alive.stat().st_size == before


def needs(tmp_path, **changed):
    mark = tmp_path / "execution"
    mark.mkdir(exist_ok=True)
    (mark / "owner-1234").touch()
    found = {
        "host": "driver",
        "working_directory": str(tmp_path),
        "directory": str(mark),
        "token": "1234",
        **changed,
    }
    return RemoteNeeds(**found)


def test_a_machine_that_has_all_is_not_refused(tmp_path):
    found = needs(tmp_path, files={"module_file": __file__}, modules={"pytest": pytest.__file__})
    assert found.find_missing() == ""


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"token": "5678"}, "which driver has made for the node. The pipeline root has to be"),
        ({"working_directory": "/nowhere"}, "has no directory /nowhere, in which the run was"),
        (
            {"files": {"module_file": "/nowhere/taxi_utils.py"}},
            "module_file is /nowhere/taxi_utils.py, which driver has and",
        ),
        (
            {"modules": {"acme.nodes": "/nowhere/acme/nodes.py"}},
            "is in the module acme.nodes, which driver has in /nowhere/acme/nodes.py and",
        ),
    ],
)
def test_what_a_machine_does_not_have_is_named(tmp_path, changed, message):
    assert message in needs(tmp_path, **changed).find_missing()


def test_a_node_is_not_started_where_its_files_are_not(make_request):
    missing = RemoteNeeds(host="driver", working_directory=os.getcwd(), directory="/x", token="1")
    told, _ = run_one(make_request(), needs=missing)
    assert told["result"]["error"]["type"] == "FileNotFoundError"
    assert "does not see /x" in told["result"]["error"]["message"]


def test_a_request_names_the_modules_of_its_code(make_request):
    found = needs_of(make_request())
    assert list(found.modules) == []  # all of it is ours
    assert found.working_directory == os.getcwd()
    import pickle

    from command_launcher import Command

    assert modules_in(pickle.dumps([Command, {"a": Command}])) == {"command_launcher"}


def test_the_path_of_another_python_is_left_behind(tmp_path):
    own = str(tmp_path)
    theirs = [own, "/nowhere/src", "/opt/python/lib/site-packages"]
    assert merge_paths(theirs, sys.prefix) == theirs
    assert merge_paths(theirs, "/opt/python")[:2] == [own, sys.path[0]]
