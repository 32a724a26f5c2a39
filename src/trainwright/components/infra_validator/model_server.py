"""Model servers as processes: TensorFlow Serving's where it is installed, else our own."""

from __future__ import annotations

import abc
import contextlib
import os
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from trainwright.components.infra_validator.error_types import (
    DeadlineExceeded,
    JobAborted,
    ValidationFailed,
)
from trainwright.components.infra_validator.server_choice import (
    OWN_SERVER,
    TENSORFLOW_SERVING,
)
from trainwright.processes.child import Child
from trainwright.processes.frame import ConnectionClosedError, receive_message
from trainwright.serving.model_directory import ModelDirectory
from trainwright.serving.process import ServerOptions, bind, serve_for_parent

_LOOPBACK = "127.0.0.1"
_LAST_LINES = 15
_SECONDS_TO_END = 10


@dataclass
class ModelServer(abc.ABC):
    """A server for one model, which ends with this process, whichever way that does.

    Args:
        model: The directory of the SavedModel.
        model_name: What requests call it.
        work_dir: Where its log goes, and what it needs.
    """

    model: str
    model_name: str
    work_dir: str
    port: int = 0

    def __post_init__(self) -> None:
        self._log = os.path.join(self.work_dir, "server.log")
        self._child: Child | None = None

    @property
    def address(self) -> str:
        """Where it is asked."""
        return f"http://{_LOOPBACK}:{self.port}"

    @contextlib.contextmanager
    def running(self, deadline: float) -> Iterator[None]:
        """Starts the server, and ends it whatever happens.

        Raises:
            ValidationFailed: if it says that it cannot load the model.
            DeadlineExceeded: if it does not start in time.
        """
        self._child = self._start()
        try:
            self._wait_until_started(self._child, deadline)
            yield
        finally:
            self._child.terminate(_SECONDS_TO_END)
            self._child = None

    @abc.abstractmethod
    def _start(self) -> Child:
        """The process."""

    @abc.abstractmethod
    def _wait_until_started(self, child: Child, deadline: float) -> None:
        """Waits until its port is known."""

    def check_running(self, seconds: float = 0.0) -> None:
        """Raises JobAborted if the process has ended, or ends within that time."""
        if self._child is not None and self._child.ends_within(seconds):
            raise JobAborted(
                f"The model server ended: {self._child.describe_death()}.{self.last_words()}"
            )

    def last_words(self) -> str:
        """The end of the server's log, for a message; empty if there is none."""
        try:
            with open(self._log, encoding="utf-8", errors="backslashreplace") as file:
                lines = file.read().splitlines()
        except OSError:
            return ""
        shown = "".join(f"\n  {line}" for line in lines[-_LAST_LINES:])
        return f" Its log ends with:{shown}" if shown else ""


@dataclass
class OwnServer(ModelServer):
    """`trainwright serve`, without a command line: a fork of this process where that is safe.

    A fork has TensorFlow already; importing it would take most of the time of a validation.
    """

    def _start(self) -> Child:
        options = ServerOptions(
            directory=ModelDirectory(path=self.model, name=self.model_name, only_version=1),
            host=_LOOPBACK,
            port=self.port,
            must_load=True,
        )
        arguments = (options.to_json(), self._log)
        return Child(f"{__name__}:run_own_server", arguments, fork=_can_fork())

    def _wait_until_started(self, child: Child, deadline: float) -> None:
        try:
            child.socket.settimeout(max(0.01, deadline - time.time()))
            told, _, _ = receive_message(child.socket)
        except TimeoutError as error:
            raise DeadlineExceeded(
                f"The model was not loaded in time.{self.last_words()}"
            ) from error
        except (ConnectionClosedError, OSError) as error:
            death = child.describe_death()
            raise JobAborted(f"The model server ended: {death}.{self.last_words()}") from error
        if "error" in told:
            raise ValidationFailed(f"The model server refuses the model: {told['error']}")
        self.port = told["port"]


@dataclass
class TensorFlowServing(ModelServer):
    """TensorFlow Serving's program, or one that takes its flags.

    Args:
        program: Its path.
    """

    program: str = TENSORFLOW_SERVING

    def _start(self) -> Child:
        # It serves directories of versions: a link makes one of the model, without a copy.
        base = os.path.join(self.work_dir, "models")
        os.makedirs(base)
        os.symlink(os.path.abspath(self.model), os.path.join(base, "1"))
        # It cannot be asked to choose: if another program takes a port, it ends, and is tried anew.
        self.port, grpc_port = _free_ports(2)
        command = [
            self.program,
            f"--rest_api_port={self.port}",
            f"--port={grpc_port}",
            f"--model_name={self.model_name}",
            f"--model_base_path={base}",
        ]
        return Child(f"{__name__}:run_program", (command, self._log))

    def _wait_until_started(self, child: Child, deadline: float) -> None:
        """Nothing: it listens when it has loaded the model, which its client waits for."""


def make_model_server(program: str, model: str, model_name: str, work_dir: str) -> ModelServer:
    """The server by what `find_model_server` has found; its files go into a new directory."""
    directory = tempfile.mkdtemp(prefix="server-", dir=work_dir)
    if program == OWN_SERVER:
        return OwnServer(model, model_name, directory)
    return TensorFlowServing(model, model_name, directory, program=program)


def _can_fork() -> bool:
    """Whether a fork may use the TensorFlow that this process has imported."""
    if "tensorflow" not in sys.modules:
        return False
    from trainwright.components.forking import can_fork

    return can_fork()


def _free_ports(number: int) -> list[int]:
    with contextlib.ExitStack() as stack:
        bound = [stack.enter_context(contextlib.closing(bind(_LOOPBACK, 0))) for _ in range(number)]
        return [one.getsockname()[1] for one in bound]


def run_own_server(sock: socket.socket, options: Mapping[str, Any], log: str) -> None:
    """What the process of an `OwnServer` does."""
    _write_to(log)
    serve_for_parent(sock, options)


def run_program(sock: socket.socket, command: Sequence[str], log: str) -> None:
    """Becomes another program, which dies with our parent as this process would have."""
    _write_to(log)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        os.execv(command[0], list(command))  # noqa: S606  a list, and no shell
    except OSError as error:
        os.write(2, f"{command[0]} cannot be run: {error.strerror}\n".encode())
        os._exit(127)


def _write_to(log: str) -> None:
    descriptor = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    for stream in (1, 2):
        os.dup2(descriptor, stream)
    os.close(descriptor)
