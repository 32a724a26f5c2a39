"""Ray clusters of three node processes on loopback, in a network namespace of their own.

Test programs run inside of it, as subprocesses:

    def test_counts(ray_cluster):  # a fixture of the session
        finished = ray_cluster.run("import ray; ray.init(...)")

Ray binds its ports to whatever address the machine has; in the namespace there is loopback only.
The cluster has a PID namespace too: all its processes end with the first of them, which ends when
nobody holds a connection to it any more, however the tests end. The processes of pytest-xdist share
one cluster.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import selectors
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import textwrap
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

NODES = 3
CPUS_OF_A_NODE = 2
OBJECT_STORE_BYTES = 80 << 20
# By these a dead node is noticed within about 2 s, a frozen one within 12, and one on a
# busy machine is not taken for frozen; by Ray's own it takes a minute.
HEALTH_CHECKS = {
    "health_check_initial_delay_ms": 1000,
    "health_check_period_ms": 500,
    "health_check_failure_threshold": 6,
    "health_check_timeout_ms": 1500,
}
_SECONDS_TO_START = 120
_NAMESPACES = ["--net", "--pid", "--mount-proc", "--fork", "--kill-child"]


@dataclass(frozen=True)
class RayNode:
    """A node of the cluster; `pids` are the raylet's and its children's, seen from inside."""

    id: str
    pids: tuple[int, ...]


@dataclass(frozen=True)
class RayTestCluster:
    """A running cluster; `address` is what `ray.init` takes inside its namespace."""

    address: str
    directory: Path
    keeper: int  # its first process, seen from outside
    connection: socket.socket
    is_users: bool  # made by an ordinary user, in a user namespace

    @property
    def environment(self) -> dict[str, str]:
        return {**os.environ, **_environment(self.directory)}

    def command(self, arguments: Sequence[str]) -> list[str]:
        """What runs a command inside; it ends with the process that started it."""
        user = ["--user", "--preserve-credentials"] if self.is_users else []
        enter = ["nsenter", "--target", str(self.keeper), *user, "--net", "--pid", "--mount"]
        return [*enter, "--wdns=" + os.getcwd(), "setpriv", "--pdeathsig", "KILL", *arguments]

    def run(
        self,
        program: str | Sequence[str],
        *arguments: str,
        timeout: float = 120,
        check: bool = True,
        env: Mapping[str, str] | None = None,
    ) -> subprocess.CompletedProcess[str]:
        """Runs a program, its source or the arguments of Python, inside; returns it finished."""
        is_source = isinstance(program, str)
        script = ["-c", textwrap.dedent(program)] if is_source else list(program)
        command = [sys.executable, *script, *arguments]
        finished = self.run_command(command, timeout=timeout, env=env)
        if check and finished.returncode != 0:
            raise AssertionError(
                f"exit code {finished.returncode}:\n{finished.stdout}\n{finished.stderr}"
            )
        return finished

    def run_command(
        self, command: Sequence[str], *, timeout: float = 120, env: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Runs a command inside; returns it finished, however it has ended."""
        return subprocess.run(
            self.command(command),
            capture_output=True,
            text=True,
            timeout=timeout,
            env={**self.environment, **(env or {})},
        )

    def start(
        self, arguments: Sequence[str], *, env: Mapping[str, str] | None = None, **options: Any
    ) -> subprocess.Popen[Any]:
        """Starts Python with these arguments inside; the caller ends it."""
        return subprocess.Popen(
            self.command([sys.executable, *arguments]),
            env={**self.environment, **(env or {})},
            **options,
        )

    def add_node(
        self, *, cpus: int = CPUS_OF_A_NODE, resources: Mapping[str, float] | None = None
    ) -> RayNode:
        """One more node, for a test that kills it; resources of its own lead tasks to it."""
        added = self._ask("add_node", cpus=cpus, resources=dict(resources or {}))
        return RayNode(added["id"], tuple(added["pids"]))

    def signal_node(self, node: RayNode, number: int, *, children: bool = True) -> None:
        """Sends a signal to a node's raylet and, as a rule, to all processes below it."""
        self._ask("signal_node", id=node.id, number=int(number), children=children)

    def remove_node(self, node: RayNode) -> None:
        """Kills what is left of a node that was added."""
        self._ask("remove_node", id=node.id)

    def kill_head(self) -> None:
        """Kills the head, with what is on it: the cluster is lost. Not for that of the session."""
        self._ask("kill_head")

    def _ask(self, request: str, **options: Any) -> dict[str, Any]:
        with self.connection.makefile("rw") as stream:
            stream.write(json.dumps({"request": request, **options}) + "\n")
            stream.flush()
            answer = json.loads(stream.readline())
        if "error" in answer:
            raise AssertionError(f"the keeper of the Ray cluster could not {request}: {answer}")
        return dict(answer)


def reason_to_skip() -> str:
    """Why no such cluster can be made here; empty if one can."""
    try:
        import ray.cluster_utils  # noqa: F401
    except ImportError as error:
        return f"Ray cannot be imported: {error}"
    for tool in ("unshare", "nsenter", "setpriv"):
        if shutil.which(tool) is None:
            return f"{tool}, of util-linux, is not installed"
    tried = subprocess.run([*_unshare(), "true"], capture_output=True, text=True)
    return f"no namespaces can be made here: {tried.stderr.strip()}" if tried.returncode else ""


def _unshare() -> list[str]:
    user = [] if os.geteuid() == 0 else ["--user", "--map-current-user", "--keep-caps"]
    return ["unshare", *user, *_NAMESPACES]


def _environment(directory: Path) -> dict[str, str]:
    # Ray writes into the home directory; TensorFlow's own lines say nothing here.
    return {
        "HOME": str(directory),
        "RAY_TMPDIR": str(directory),
        "RAY_USAGE_STATS_ENABLED": "0",
        "TF_CPP_MIN_LOG_LEVEL": "3",
        "PYTHONUNBUFFERED": "1",
    }


@pytest.fixture(scope="session")
def ray_cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RayTestCluster]:
    """The cluster of this session; skips, with the reason, where none can be made."""
    if reason := reason_to_skip():
        pytest.skip(reason)
    base = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        base = base.parent
    with started(base) as cluster:
        yield cluster


@contextlib.contextmanager
def started(base: Path) -> Iterator[RayTestCluster]:
    """The cluster of those who name this directory: started by the first, ended by the last."""
    cluster = _join_or_start(base)
    try:
        yield cluster
    finally:
        cluster.connection.close()


def _join_or_start(base: Path) -> RayTestCluster:
    with open(base / "ray_cluster.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        described = base / "ray_cluster.json"
        if described.exists() and (joined := _join(json.loads(described.read_text()))):
            return joined
        # Paths of sockets are short: pytest's directories would be too long for Ray.
        directory = Path(tempfile.mkdtemp(prefix="ray-"))
        facts = _start(directory)
        described.write_text(json.dumps(facts))
        joined = _join(facts)
        if joined is None:
            raise AssertionError(f"The Ray cluster ended at once:\n{_log(directory)}")
        return joined


def _start(directory: Path) -> dict[str, Any]:
    with open(directory / "keeper.log", "wb") as log:
        process = subprocess.Popen(
            [*_unshare(), sys.executable, __file__, str(directory)],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            env={**os.environ, **_environment(directory)},
            start_new_session=True,
        )
    deadline = time.monotonic() + _SECONDS_TO_START
    while not (directory / "ready").exists():
        if process.poll() is not None or time.monotonic() > deadline:
            process.kill()
            raise AssertionError(f"The Ray cluster did not start:\n{_log(directory)}")
        time.sleep(0.1)
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    return {
        "address": (directory / "ready").read_text(),
        "directory": str(directory),
        "keeper": int(children[0]),
        "is_users": os.geteuid() != 0,
    }


def _join(facts: Mapping[str, Any]) -> RayTestCluster | None:
    connection = socket.socket(socket.AF_UNIX)
    try:
        connection.connect(str(Path(facts["directory"], "keeper.sock")))
    except OSError:
        return None
    return RayTestCluster(
        address=facts["address"],
        directory=Path(facts["directory"]),
        keeper=facts["keeper"],
        connection=connection,
        is_users=facts["is_users"],
    )


def _log(directory: Path) -> str:
    return (directory / "keeper.log").read_text()


class _Keeper:
    """The first process of the namespaces: starts the nodes and serves those who use them."""

    def __init__(self, directory: Path) -> None:
        from ray.cluster_utils import Cluster

        (directory / "ray").mkdir()  # where Ray notes the cluster's address
        sizes = {"num_cpus": CPUS_OF_A_NODE, "object_store_memory": OBJECT_STORE_BYTES}
        self._cluster = Cluster(
            initialize_head=True,
            head_node_args={**sizes, "include_dashboard": False, "_system_config": HEALTH_CHECKS},
        )
        for _ in range(NODES - 1):
            self._cluster.add_node(**sizes)
        self._added: dict[str, Any] = {}
        self._directory = directory

    def serve(self) -> None:
        """Answers until the last of those who were connected is gone."""
        server = socket.socket(socket.AF_UNIX)
        server.bind(str(self._directory / "keeper.sock"))
        server.listen()
        ready = self._directory / "ready.new"
        ready.write_text(self._cluster.address)
        ready.rename(self._directory / "ready")
        # One thread, the main one: Ray sets handlers of signals when it starts a node.
        with selectors.DefaultSelector() as selector:
            selector.register(server, selectors.EVENT_READ)
            while events := selector.select(
                _SECONDS_TO_START if self._has_no_user(selector) else None
            ):
                for key, _ in events:
                    if key.fileobj is server:
                        selector.register(server.accept()[0], selectors.EVENT_READ)
                    elif not self._serve_one(key.fileobj):
                        selector.unregister(key.fileobj)
                        if self._has_no_user(selector):
                            return

    @staticmethod
    def _has_no_user(selector: selectors.BaseSelector) -> bool:
        return len(selector.get_map()) == 1

    def _serve_one(self, connection: socket.socket) -> bool:
        """Answers one request; false if who was connected is gone."""
        try:
            with connection.makefile("rw") as stream:
                line = stream.readline()
                if not line:
                    return False
                request = json.loads(line)
                answer = self._answer(request.pop("request"), request)
                stream.write(json.dumps(answer) + "\n")
                return True
        except OSError:
            return False

    def _answer(self, request: str, options: dict[str, Any]) -> dict[str, Any]:
        try:
            return dict(getattr(self, f"_do_{request}")(**options) or {})
        except Exception as error:
            return {"error": f"{type(error).__name__}: {error}"}

    def _do_add_node(self, cpus: int, resources: dict[str, float]) -> dict[str, Any]:
        node = self._cluster.add_node(
            num_cpus=cpus, object_store_memory=OBJECT_STORE_BYTES, resources=resources
        )
        self._added[node.node_id] = node
        return {"id": node.node_id, "pids": [process.pid for process in self._processes(node)]}

    def _do_signal_node(self, id: str, number: int, children: bool) -> None:
        processes = self._processes(self._added[id])
        for process in processes if children else processes[:1]:
            process.send_signal(signal.Signals(number))

    def _do_remove_node(self, id: str) -> None:
        node = self._added.pop(id)
        for process in self._processes(node):
            process.kill()
        self._cluster.remove_node(node, allow_graceful=False)

    def _do_kill_head(self) -> None:
        head = self._cluster.head_node
        processes = self._processes(head)
        for info in [one for kind in head.all_processes.values() for one in kind]:
            info.process.kill()
        for process in processes:
            process.kill()

    @staticmethod
    def _processes(node: Any) -> list[Any]:
        """The raylet first."""
        import psutil

        (raylet,) = node.all_processes["raylet"]
        if not psutil.pid_exists(raylet.process.pid):
            return []
        process = psutil.Process(raylet.process.pid)
        return [process, *process.children(recursive=True)]


def _raise_loopback() -> None:
    import struct

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        get_flags, set_flags, is_up = 0x8913, 0x8914, 1
        request = struct.pack("16sh", b"lo", 0)
        (flags,) = struct.unpack_from("h", fcntl.ioctl(sock, get_flags, request), 16)
        fcntl.ioctl(sock, set_flags, struct.pack("16sh", b"lo", flags | is_up))


if __name__ == "__main__":
    _raise_loopback()
    here = Path(sys.argv[1])
    try:
        _Keeper(here).serve()
    finally:
        shutil.rmtree(here, ignore_errors=True)
        # The kernel ends all others with this one.
        os._exit(0)
