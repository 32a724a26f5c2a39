"""Nodes that break their own process: each fails alone, with what was really wrong."""

from __future__ import annotations

import json
import os
import socket
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest
from store_audit import audit

from trainwright import (
    LocalDagRunner,
    OutputArtifact,
    OutputDict,
    Parameter,
    Pipeline,
    component,
)
from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.base_executor import BaseExecutor
from trainwright.dsl.executor_spec import ExecutorClassSpec
from trainwright.metadata.connection import open_store
from trainwright.orchestration.events import RunEventKind
from trainwright.orchestration.reports.node_output import with_node_output
from trainwright.orchestration.run_result import PipelineRunError
from trainwright.processes import frame as wire
from trainwright.types.component_spec import ComponentSpec
from trainwright.types.standard_artifacts import Examples

# They are about processes: what is tried is what a run starts and ends itself.
pytestmark = pytest.mark.own_zygotes


def open_sockets() -> list[int]:
    """The descriptors of this process that are sockets: the way to the runner is one."""
    found = []
    for name in os.listdir("/proc/self/fd"):
        try:
            if stat.S_ISSOCK(os.fstat(int(name)).st_mode):
                found.append(int(name))
        except OSError:  # that of the listing
            continue
    return found


@component
def scribble():
    for fd in range(3, 256):
        try:
            os.write(fd, b"garbage")
        except OSError:
            continue
    time.sleep(600)


@component
def forge(claim: Parameter[str]):
    """Sends what only the worker itself should send."""
    (fd,) = open_sockets()
    wire.send_message(socket.socket(fileno=os.dup(fd)), json.loads(claim))
    time.sleep(600)


@component
def close_everything() -> OutputDict(out=int):
    os.closerange(0, 256)
    return {"out": 1}


@component
def close_everything_and_fail():
    os.closerange(0, 256)
    raise ValueError("the reason")


@component
def reopen_everything(directory: Parameter[str]) -> OutputDict(out=int):
    os.closerange(3, 256)
    pairs = [socket.socketpair() for _ in range(20)]
    for ours, _ in pairs:
        ours.setblocking(False)
    open_sockets.pairs = pairs  # they live until the process ends
    return {"out": 1}


@component
def break_json() -> OutputDict(out=int):
    json.dumps = json.loads = json.load = json.dump = None
    json.JSONEncoder.encode = json.JSONEncoder.iterencode = json.JSONEncoder.default = None
    return {"out": 1}


@component
def break_json_and_fail():
    json.dumps = json.JSONEncoder.encode = json.JSONEncoder.iterencode = None
    raise ValueError("nothing to do with json")


class UnspeakableError(Exception):
    def __str__(self):
        raise RuntimeError("not even this")

    def __len__(self):
        raise RuntimeError("nor this")


@component
def raise_unspeakable():
    raise UnspeakableError


@component
def raise_from_itself():
    error = ValueError("its own cause")
    raise error from error


@component
def raise_surrogate():
    raise ValueError("bad name \udcff \0 end")


@component
def close_stderr_and_fail():
    sys.stderr.close()
    sys.stdout.close()
    raise ValueError("said nowhere")


def own_directory(root: str, node: str) -> Path:
    (directory,) = Path(root, node, ".system", "executor_execution").iterdir()
    return directory


@component
def put_pipe_for_log(root: Parameter[str]):
    log = own_directory(root, "put_pipe_for_log") / "executor.log"
    log.unlink()
    os.mkfifo(log)
    raise ValueError("with a pipe as log")


@component
def name_by_surrogate(out: OutputArtifact[Examples]):
    out.name = "a\ud800"


@component
def lie_at_surrogate(out: OutputArtifact[Examples]):
    out.uri = "bq://a\ud800b"


class OddMeta(type):
    def __mro__(cls):
        raise RuntimeError("not even its bases")


class NamelessError(Exception, metaclass=OddMeta):
    @property
    def args(self):
        raise RuntimeError("nor its arguments")


@component
def raise_nameless():
    raise NamelessError("hidden")


@component
def raise_at_length():
    raise ValueError("begin" + "z" * 1_000_000 + "end")


@component
def fork_and_return() -> OutputDict(out=int):
    """Its child comes back out of the function, too."""
    child = os.fork()
    if child:
        os.waitpid(child, 0)
    return {"out": 1 if child else 2}


@component
def look_around() -> OutputDict(own=int, in_fork=int, in_program=int):
    """Counts the sockets that this process, a fork and a program that it starts can see."""
    read_end, write_end = os.pipe()
    if os.fork() == 0:
        os.write(write_end, bytes([len(open_sockets())]))
        os._exit(0)
    program = "import os; print(sum(os.path.realpath(f'/proc/self/fd/{n}').find('socket:') >= 0"
    program += " for n in os.listdir('/proc/self/fd')))"
    seen = subprocess.run(
        [sys.executable, "-c", program], close_fds=False, capture_output=True, check=True
    )
    return {
        "own": len(open_sockets()),
        "in_fork": os.read(read_end, 1)[0],
        "in_program": int(seen.stdout),
    }


@component
def innocent() -> OutputDict(out=int):
    time.sleep(1)
    return {"out": 1}


FORGED = {
    "no_event": {"a": 1},
    "no_outputs": {"event": "result", "ok": True},
    "no_error": {"event": "result", "ok": False, "error": "x"},
    "odd_outputs": {
        "event": "result",
        "ok": True,
        "outputs": {"other": 1},
        "manifests": {"other": 1},
        "first_party_files": {},
    },
    "other_outputs": {
        "event": "result",
        "ok": True,
        "outputs": {"other": []},
        "manifests": {"other": []},
        "first_party_files": {},
    },
    "odd_progress": {"event": "progress", "progress": [1]},
}


@pytest.fixture(scope="module")
def outcome(tmp_path_factory):
    """All of them side by side, in one run."""
    root = tmp_path_factory.mktemp("root")
    nodes = [
        scribble(),
        *(forge(claim=json.dumps(FORGED[name])).with_id(name) for name in FORGED),
        close_everything(),
        close_everything_and_fail(),
        reopen_everything(directory=str(root)),
        break_json(),
        break_json_and_fail(),
        raise_unspeakable(),
        raise_from_itself(),
        raise_surrogate(),
        close_stderr_and_fail(),
        put_pipe_for_log(root=str(root)),
        raise_nameless(),
        raise_at_length(),
        name_by_surrogate(),
        lie_at_surrogate(),
        fork_and_return(),
        look_around(),
        innocent(),
    ]
    pipeline = Pipeline("p", str(root), components=nodes, enable_cache=True)
    with (
        pytest.raises(PipelineRunError) as caught,
        with_node_output(lambda event: None, lambda line: None) as observer,
    ):
        LocalDagRunner(max_parallel=6, observer=observer).run(pipeline)
    return root, caught.value.result


def test_nodes_that_did_their_work_are_published(outcome):
    _, result = outcome
    complete = {node for node, state in result.states.items() if state.value == "complete"}
    assert complete == {
        "close_everything",
        "reopen_everything",
        "break_json",
        "fork_and_return",
        "look_around",
        "innocent",
    }


@pytest.mark.parametrize(
    ("node", "expected"),
    [
        ("scribble", "WorkerDied: what came from the node's process is not a message"),
        *((name, "WorkerDied: ") for name in FORGED),
        ("close_everything_and_fail", "ValueError: the reason"),
        ("raise_unspeakable", "UnspeakableError: it has no message that can be shown, for its"),
        ("break_json_and_fail", "ValueError: nothing to do with json"),
        ("raise_from_itself", "ValueError: its own cause"),
        ("raise_surrogate", "ValueError: bad name \udcff \0 end"),
        ("close_stderr_and_fail", "ValueError: said nowhere"),
        ("raise_nameless", "NamelessError: "),
        ("raise_at_length", "ValueError: beginz"),
        ("put_pipe_for_log", "ValueError: with a pipe as log"),
        ("name_by_surrogate", "ValueError: The name 'a\\ud800' cannot be stored"),
        ("lie_at_surrogate", "ValueError: The uri 'bq://a\\ud800b' cannot be stored"),
    ],
)
def test_the_others_fail_with_what_was_really_wrong(outcome, node, expected):
    _, result = outcome
    (failure,) = [failure for failure in result.failures if failure.node_id == node]
    assert f"{failure.error_type}: {failure.message}".startswith(expected)
    if expected.startswith("ValueError") and "which the" not in expected:
        assert f"in {node}\n" in failure.traceback


def test_of_a_long_message_the_middle_is_in_the_log_alone(outcome):
    root, result = outcome
    (failure,) = [one for one in result.failures if one.node_id == "raise_at_length"]
    assert "... 934472 characters are left out here; the log has all of them" in failure.message
    assert failure.message.endswith("zzzend")
    assert max(map(len, (failure.message, failure.traceback))) < 66_000
    log = (own_directory(str(root), "raise_at_length") / "executor.log").read_text()
    assert f"begin{'z' * 1_000_000}end" in log


def test_nothing_is_left_of_them(outcome):
    root, _ = outcome
    assert audit(root) == []
    assert not list(Path(root).rglob("*.failure"))


def test_user_code_sees_one_socket_and_passes_it_on_to_nothing(outcome):
    root, _ = outcome
    seen = {key: (root / f"look_around/{key}").glob("*/value") for key in ("own", "in_fork")}
    assert {key: [path.read_text() for path in paths] for key, paths in seen.items()} == {
        "own": ["1"],
        "in_fork": ["0"],
    }
    (path,) = (root / "look_around/in_program").glob("*/value")
    assert path.read_text() == "0"


def test_a_child_that_comes_back_is_not_the_node(outcome):
    root, _ = outcome
    (path,) = (root / "fork_and_return/out").glob("*/value")
    assert path.read_text() == "1"


class OddExecutor(BaseExecutor):
    """Reports progress under the names that the runner's own functions use, adds an output."""

    def Do(self, input_dict, output_dict, exec_properties):
        self.context.report_progress({"kind": 1, "node_id": "x", "self": 2})
        output_dict["extra"] = []


class OddSpec(ComponentSpec):
    PARAMETERS = {}
    INPUTS = {}
    OUTPUTS = {}


class OddComponent(BaseComponent):
    SPEC_CLASS = OddSpec
    EXECUTOR_SPEC = ExecutorClassSpec(OddExecutor)

    def __init__(self):
        super().__init__(OddSpec())


def test_progress_has_any_names_and_outputs_only_those_declared(tmp_path):
    events = []
    pipeline = Pipeline("p", str(tmp_path), components=[OddComponent()])
    with pytest.raises(PipelineRunError, match=r"left the outputs \['extra'\].* declares \[\]"):
        LocalDagRunner(observer=events.append).run(pipeline)
    (told,) = [event.data for event in events if event.kind is RunEventKind.NODE_PROGRESS]
    assert told == {"kind": 1, "node_id": "x", "self": 2}
    with open_store(tmp_path / "metadata.db") as store:
        assert store.get_attachments("progress", [1]) == {1: told}, "of a failed node, too"
