"""The zygote: a process that has imported what takes long and is forked for every node.

It is started as a plain interpreter (`python -c`), never by multiprocessing, so that a pipeline
script without a main guard is not run again. It imports, but never runs a TensorFlow op, because
TensorFlow's threads would not survive the fork. It talks to the runner over one socket; when that
closes, the runner is gone, and the zygote takes its children with it.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import selectors
import signal
import socket
import time
from collections.abc import Sequence

from trainwright.orchestration.keeper import (
    adopt_orphans,
    end_all_children,
    end_children,
    fork_kept,
)
from trainwright.orchestration.wire import ConnectionClosedError, receive_message, send_message

# What `python -c` runs; the arguments are the socket, sys.path and the modules to import. The
# working directory, which is on the path of `-c`, may hold a json.py that is not Python's.
BOOTSTRAP = (
    "import sys; sys.path[:] = filter(None, sys.path);"
    " import json; sys.path[:] = json.loads(sys.argv[2]);"
    " from trainwright.orchestration.zygote import main; main(sys.argv[1:])"
)

# What the modules of users' components import, beside what a worker itself needs.
_IMPORTED_WHEN_IDLE = (
    "cloudpickle",
    "trainwright.dsl.function_component",
    "trainwright.components",
    "trainwright.orchestration.local_dag_runner",
)

# How long the keepers get to end their workers when the runner is gone.
_END_SECONDS = 6.0


def main(arguments: Sequence[str]) -> None:
    """Imports, then forks a worker per request until the runner closes the socket."""
    control = socket.socket(fileno=int(arguments[0]))
    preload = json.loads(arguments[2])
    can_fork = arguments[3] == "fork"
    # Ctrl-C reaches every process of the terminal; the runner decides what stops and when.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for module in preload:
        # What is missing or broken is reported by the node that needs it, with its own traceback.
        with contextlib.suppress(Exception):
            warm_up(module)
    Zygote(control, can_fork).serve()


def warm_up(module: str) -> None:
    """Imports a module that nodes will need, without running anything in it."""
    importlib.import_module(module)
    if module == "tensorflow":
        # `tf.keras` is loaded at its first use, which would otherwise fall to every worker.
        __import__("tensorflow").keras.Model  # noqa: B018


class Zygote:
    """Serves fork requests and reports the end of the forked processes.

    Its children are keepers (`keeper.py`), each with one worker.
    """

    def __init__(self, control: socket.socket, can_fork: bool) -> None:
        self._control = control
        self._can_fork = can_fork
        self._children: dict[int, int] = {}
        self._own_descriptors: list[int] = []
        # Only forks have a use for what this process imports after its first request.
        self._to_import = list(_IMPORTED_WHEN_IDLE) if can_fork else []

    def serve(self) -> None:
        wakeup_read, wakeup_write = os.pipe()
        os.set_blocking(wakeup_write, False)
        os.set_blocking(wakeup_read, False)
        signal.set_wakeup_fd(wakeup_write, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *unused: None)
        adopt_orphans()  # of a keeper that was killed
        with selectors.DefaultSelector() as selector:
            selector.register(self._control, selectors.EVENT_READ)
            selector.register(wakeup_read, selectors.EVENT_READ)
            self._own_descriptors = [self._control.fileno(), wakeup_read, wakeup_write]
            if hasattr(selector, "fileno"):  # epoll and kqueue
                self._own_descriptors.append(selector.fileno())
            try:
                while True:
                    events = selector.select(0 if self._to_import else None)
                    if not events and self._to_import:
                        self._import_next()
                    for key, _ in events:
                        if key.fileobj is self._control:
                            self._handle_request()
                        else:
                            with contextlib.suppress(BlockingIOError):
                                os.read(wakeup_read, 4096)
                            self._reap()
            except (ConnectionClosedError, ConnectionResetError, BrokenPipeError):
                self._end_all()

    def _import_next(self) -> None:
        with contextlib.suppress(Exception):
            warm_up(self._to_import.pop(0))

    def _handle_request(self) -> None:
        header, payload, (channel_fd, log_fd) = receive_message(self._control, max_fds=2)
        if not self._can_fork:
            self._tell("started", header["request"], pid=os.getpid())
            _run_worker(header, payload, channel_fd, log_fd)

        def work() -> None:
            self._let_go_of_descriptors()
            _run_worker(header, payload, channel_fd, log_fd)

        # Else the first full collection in the fork would write to, and so copy, every page
        # that holds what was imported here: 80 MB and 0.2 seconds with TensorFlow.
        gc.freeze()
        try:
            keeper, pid = fork_kept(work)
        except OSError as error:
            # Too many processes: this node fails, and those that run go on.
            fault = f"the node's process could not be started: {error}."
            self._tell("exited", header["request"], status=1, fault=fault)
        else:
            self._children[keeper] = header["request"]
            if pid is not None:
                self._tell("started", header["request"], pid=pid)
        finally:
            os.close(channel_fd)
            os.close(log_fd)

    def _tell(self, event: str, request: int, **data: object) -> None:
        send_message(self._control, {"event": event, "request": request, **data})

    def _let_go_of_descriptors(self) -> None:
        """In a worker: user code does not get hold of what this process talks and waits with."""
        self._control.detach()
        for fd in self._own_descriptors:
            os.close(fd)

    def _reap(self) -> None:
        for keeper in list(self._children):
            done, status = os.waitpid(keeper, os.WNOHANG)
            if done:
                request = self._children.pop(keeper)
                code = os.waitstatus_to_exitcode(status)
                if code < 0:  # if it is the keeper that was killed, its orphans are ours
                    end_children(spare=self._children)
                self._tell("exited", request, status=code)

    def _end_all(self) -> None:
        """Ends the workers and what they started, as far as their keepers can."""
        for keeper in self._children:
            os.kill(keeper, signal.SIGTERM)
        deadline = time.monotonic() + _END_SECONDS
        while self._children and time.monotonic() < deadline:
            for keeper in list(self._children):
                if os.waitpid(keeper, os.WNOHANG)[0]:
                    del self._children[keeper]
            time.sleep(0.005)
        end_all_children()


def _run_worker(header: dict[str, object], payload: bytes, channel_fd: int, log_fd: int) -> None:
    from trainwright.orchestration.worker import run_in_this_process

    # The channel comes first: after it is closed nothing more can be said, so exit at once.
    code = 1
    try:
        code = run_in_this_process(header, payload, channel_fd, log_fd)
    finally:
        os._exit(code)
