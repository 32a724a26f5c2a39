"""The zygote: a process that has imported what takes long and is forked for every node.

What it imports is named by the executors of the nodes (`BaseExecutor.PRELOAD`).
It imports, but never runs a TensorFlow op, because TensorFlow's threads would not survive the fork.
It talks to the runner over one socket; when that closes, the runner is gone, and the zygote takes
its children with it.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import selectors
import signal
import socket
from collections.abc import Sequence

from trainwright import _plugins
from trainwright.html_views import artifact_files
from trainwright.processes.frame import (
    ConnectionClosedError,
    receive_message,
    send_message,
)
from trainwright.processes.keeper import (
    adopt_orphans,
    die_with,
    end_children,
    go_on_in_kept_child,
    kill_group,
)

# What the modules of users' components import, beside what a worker itself needs.
_IMPORTED_WHEN_IDLE = (
    "cloudpickle",
    "trainwright.dsl.function_component",
    "trainwright.components",
    "trainwright.engine.local_engine",
    "trainwright.orchestration.local_dag_runner",
)


def main(control: socket.socket, preload: Sequence[str], can_fork: bool) -> None:
    """Imports, then forks a worker per request until the runner closes the socket."""
    if can_fork:
        go_on_in_kept_child()  # now, while there is little to copy
    for module in preload:
        # What is missing or broken is reported by the node that needs it, with its own traceback.
        with contextlib.suppress(Exception):
            importlib.import_module(module)
    Zygote(control, can_fork).serve()


class Zygote:
    """Serves fork requests and reports the end of the forked processes."""

    def __init__(self, control: socket.socket, can_fork: bool) -> None:
        self._control = control
        self._can_fork = can_fork
        self._children: dict[int, int] = {}
        self._own_descriptors: list[int] = []
        self._unkillable: set[int] = set()
        # Only forks have a use for what this process imports after its first request.
        self._to_import = list(_IMPORTED_WHEN_IDLE) if can_fork else []

    def serve(self) -> None:
        wakeup_read, wakeup_write = os.pipe()
        os.set_blocking(wakeup_write, False)
        os.set_blocking(wakeup_read, False)
        signal.set_wakeup_fd(wakeup_write, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *unused: None)
        signal.signal(signal.SIGTERM, self._terminate)
        adopt_orphans()
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
            importlib.import_module(self._to_import.pop(0))
            if not self._to_import:
                # Each fork would read the metadata of all packages anew, for 10 ms and more, only
                # to learn that none has a view of what its node has made.
                _plugins.remember(artifact_files.PLUGIN_GROUP)

    def _handle_request(self) -> None:
        header, payload, (channel_fd, log_fd) = receive_message(self._control, max_fds=2)
        if not self._can_fork:
            self._tell("started", header["request"], pid=os.getpid())
            _run_worker(header, payload, channel_fd, log_fd)

        # Else the first full collection in the fork would write to, and so copy, every page
        # that holds what was imported here: 80 MB and 0.2 seconds with TensorFlow.
        gc.freeze()
        zygote = os.getpid()
        try:
            pid = os.fork()
        except OSError as error:
            # Too many processes: this node fails, and those that run go on.
            fault = f"the node's process could not be started: {error}."
            self._tell("exited", header["request"], status=1, fault=fault)
        else:
            if pid == 0:
                self._become_worker(zygote)
                _run_worker(header, payload, channel_fd, log_fd)
            self._children[pid] = header["request"]
            self._tell("started", header["request"], pid=pid)
        finally:
            os.close(channel_fd)
            os.close(log_fd)

    def _tell(self, event: str, request: int, **data: object) -> None:
        send_message(self._control, {"event": event, "request": request, **data})

    def _become_worker(self, zygote: int) -> None:
        """What a fork changes: its own session, default signals, death with its parent; and user
        code does not get hold of what this process talks and waits with."""
        signal.set_wakeup_fd(-1)
        for number in (signal.SIGCHLD, signal.SIGTERM):
            signal.signal(number, signal.SIG_DFL)
        os.setsid()
        die_with(zygote, signal.SIGKILL)
        adopt_orphans()
        self._control.detach()
        for fd in self._own_descriptors:
            os.close(fd)

    def _reap(self) -> None:
        ended = {}
        for pid in list(self._children):
            done, status = os.waitpid(pid, os.WNOHANG)
            if done:
                kill_group(pid)
                ended[self._children.pop(pid)] = os.waitstatus_to_exitcode(status)
        if ended:
            # Whatever the workers started and left behind goes with them.
            self._unkillable.update(end_children(self._children.keys() | self._unkillable))
        for request, code in ended.items():
            self._tell("exited", request, status=code)

    def _end_all(self) -> None:
        for pid in self._children:
            kill_group(pid)
        end_children(self._unkillable)  # and workers that lead no group yet

    def _terminate(self, *unused: object) -> None:
        """The keeper was killed: nobody would end the workers after this process."""
        self._end_all()
        os._exit(1)


def _run_worker(header: dict[str, object], payload: bytes, channel_fd: int, log_fd: int) -> None:
    from trainwright.orchestration.execution.worker import run_in_this_process

    # The channel comes first: after it is closed nothing more can be said, so exit at once.
    code = 1
    try:
        code = run_in_this_process(header, payload, channel_fd, log_fd)
    finally:
        os._exit(code)
