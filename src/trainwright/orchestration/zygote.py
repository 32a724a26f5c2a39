"""The zygote: a process that has imported what takes long and is forked for every node.

It is started as a plain interpreter (`python -c`), never by multiprocessing, so that a pipeline
script without a main guard is not run again. It imports, but never runs a TensorFlow op, because
TensorFlow's threads would not survive the fork. It talks to the runner over one socket; when that
closes, the runner is gone, and the zygote takes its children with it.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import importlib
import json
import os
import selectors
import signal
import socket
import sys
from collections.abc import Sequence

from trainwright.orchestration.wire import ConnectionClosedError, receive_message, send_message

# What `python -c` runs; the arguments are the socket, sys.path and the modules to import.
BOOTSTRAP = (
    "import sys, json; sys.path[:] = json.loads(sys.argv[2]);"
    " from trainwright.orchestration.zygote import main; main(sys.argv[1:])"
)

# What the modules of users' components import, beside what a worker itself needs.
_IMPORTED_WHEN_IDLE = (
    "cloudpickle",
    "trainwright.dsl.function_component",
    "trainwright.components",
    "trainwright.orchestration.local_dag_runner",
)

_PR_SET_PDEATHSIG = 1
_LIBC = ctypes.CDLL(None)


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
    """Serves fork requests and reports the end of the forked processes."""

    def __init__(self, control: socket.socket, can_fork: bool) -> None:
        self._control = control
        self._can_fork = can_fork
        self._children: dict[int, int] = {}
        # Only forks have a use for what this process imports after its first request.
        self._to_import = list(_IMPORTED_WHEN_IDLE) if can_fork else []

    def serve(self) -> None:
        wakeup_read, wakeup_write = os.pipe()
        os.set_blocking(wakeup_write, False)
        os.set_blocking(wakeup_read, False)
        signal.set_wakeup_fd(wakeup_write, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *unused: None)
        with selectors.DefaultSelector() as selector:
            selector.register(self._control, selectors.EVENT_READ)
            selector.register(wakeup_read, selectors.EVENT_READ)
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
                self._kill_children()

    def _import_next(self) -> None:
        with contextlib.suppress(Exception):
            warm_up(self._to_import.pop(0))

    def _handle_request(self) -> None:
        header, payload, fds = receive_message(self._control, max_fds=2)
        channel_fd, log_fd = fds
        if self._can_fork:
            # Else the first full collection in the fork would write to, and so copy, every page
            # that holds what was imported here: 80 MB and 0.2 seconds with TensorFlow.
            gc.freeze()
            pid = os.fork()
            if pid:
                self._children[pid] = header["request"]
                os.close(channel_fd)
                os.close(log_fd)
                send_message(
                    self._control, {"event": "started", "request": header["request"], "pid": pid}
                )
                return
            _become_worker_process()
            self._control.close()
        else:
            send_message(
                self._control,
                {"event": "started", "request": header["request"], "pid": os.getpid()},
            )
        _run_worker(header, payload, channel_fd, log_fd)

    def _reap(self) -> None:
        for pid in list(self._children):
            done, status = os.waitpid(pid, os.WNOHANG)
            if done:
                request = self._children.pop(pid)
                # Whatever the worker started and left behind goes with it.
                _kill_group(pid)
                send_message(
                    self._control,
                    {
                        "event": "exited",
                        "request": request,
                        "status": os.waitstatus_to_exitcode(status),
                    },
                )

    def _kill_children(self) -> None:
        for pid in self._children:
            _kill_group(pid)


def _kill_group(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def _become_worker_process() -> None:
    """What a fork changes: its own session, default signals, death with its parent."""
    signal.set_wakeup_fd(-1)
    for number in (signal.SIGCHLD, signal.SIGINT):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.setsid()
    if sys.platform == "linux":
        _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _run_worker(header: dict[str, object], payload: bytes, channel_fd: int, log_fd: int) -> None:
    from trainwright.orchestration.worker import run_in_this_process

    # The channel comes first: after it is closed nothing more can be said, so exit at once.
    code = 1
    try:
        code = run_in_this_process(header, payload, channel_fd, log_fd)
    finally:
        os._exit(code)
