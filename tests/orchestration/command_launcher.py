"""A launcher that can only start commands: it hears of nothing but their ends."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Iterable
from typing import Any

from trainwright.orchestration.launching.launcher import Launcher, NodeProcess
from trainwright.orchestration.launching.node_request import NodeRequest


class Command:
    """A process of a node that was started by a command."""

    result: dict[str, Any] | None = None  # it is found in the node's files
    fault = ""
    was_lost = False
    may_wake_up = False

    def __init__(self, request: NodeRequest, rank: int) -> None:
        self.is_stopped = False
        self._process = subprocess.Popen(
            request.command,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, **request.environment},
            start_new_session=True,
        )
        assert self._process.stdin is not None
        with contextlib.suppress(BrokenPipeError):  # it has died, as will be seen
            self._process.stdin.write(request.encode(rank))
            self._process.stdin.flush()

    @property
    def is_over(self) -> bool:
        return self._process.poll() is not None

    @property
    def exit_status(self) -> int | None:
        return self._process.poll()

    def take_progress(self) -> dict[str, Any]:
        return {}

    def signal(self, number: int) -> None:
        if not self.is_over:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, number)

    def end(self) -> None:
        self.signal(signal.SIGKILL)
        self._process.wait()
        assert self._process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.close()


class CommandLauncher(Launcher):
    def __init__(self) -> None:
        super().__init__()
        self._commands: list[Command] = []

    def start(self, request: NodeRequest, rank: int) -> NodeProcess:
        command = Command(request, rank)
        self._commands.append(command)
        return command

    def wait(self, timeout: float) -> Iterable[NodeProcess]:
        deadline = time.monotonic() + timeout
        while True:
            over = [command for command in self._commands if command.is_over]
            if over or time.monotonic() >= deadline:
                break
            time.sleep(0.02)
        self._commands = [command for command in self._commands if command not in over]
        for command in over:
            command.end()
        return over

    def signal_all(self, number: int) -> None:
        for command in self._commands:
            command.is_stopped = True
            command.signal(number)

    def close(self) -> None:
        for command in self._commands:
            command.end()
