"""Tasks in the processes of a `TaskPool`: how they are done and answered.

A process is told a job, which all tasks after it belong to, and then one task at a time. It answers
each with progress, if it takes long, and with a result (and the rest of the progress) or an error.
"""

from __future__ import annotations

import socket
import time
import traceback
from collections.abc import Callable
from typing import Any

from trainwright.processes.frame import ConnectionClosedError, receive_message, send_message

_SECONDS_BETWEEN_REPORTS = 0.2

# Takes how many units (examples, rows) were done since it was last called.
ReportUnits = Callable[[int], None]
# Does one task: from its config, its data and a way to report progress to the bytes of the result.
DoTask = Callable[[dict[str, Any], bytes, ReportUnits], bytes]


class TaskFailedError(RuntimeError):
    """A task failed, although it was tried again.

    Args:
        task: The task's name.
        cause: What went wrong, in words.
        attempts: How often it was tried.
    """

    def __init__(self, task: str, cause: str, attempts: int) -> None:
        tried = f"was tried {attempts} times and failed" if attempts > 1 else "failed"
        super().__init__(f"{task} {tried}: {cause}")
        self.task = task
        self.cause = cause
        self.attempts = attempts


class InvalidTaskError(ValueError):
    """A task cannot be done, however often it is tried."""


def describe(error: BaseException) -> str:
    """An error in one line, by its type and message.

    >>> describe(ValueError("no such column"))
    'ValueError: no such column'
    """
    message = str(error)
    return f"{type(error).__name__}: {message}" if message else type(error).__name__


def serve_tasks(sock: socket.socket, open_job: Callable[[Any], DoTask]) -> None:
    """Does what a pool asks for until it closes its end.

    Args:
        sock: The way to the pool.
        open_job: Called for each job, with its description, for what does its tasks. If it raises,
            every task of the job is answered with that.
    """
    do_task: DoTask | str = "no job was sent"
    while True:
        try:
            message, data, _ = receive_message(sock)
        except ConnectionClosedError:
            return
        if "job" in message:
            do_task = _open(open_job, message["job"])
        else:
            answer, result = _answer(do_task, message["task"], data, _Reporter(sock))
            send_message(sock, answer, result)


def _open(open_job: Callable[[Any], DoTask], job: Any) -> DoTask | str:
    try:
        return open_job(job)
    except Exception as error:
        traceback.print_exc()
        return describe(error)


def _answer(
    do_task: DoTask | str, config: dict[str, Any], data: bytes, report: _Reporter
) -> tuple[dict[str, Any], bytes]:
    if isinstance(do_task, str):
        return {"error": do_task}, b""
    try:
        result = do_task(config, data, report)
    except InvalidTaskError as error:
        return {"invalid": str(error)}, b""
    except Exception as error:
        # The pool gets one line; where it happened goes to the log.
        traceback.print_exc()
        return {"error": describe(error)}, b""
    return {"done": report.take()}, result


class _Reporter:
    """Passes on how many units are done, a few times a second at most."""

    def __init__(self, sock: socket.socket) -> None:
        self._socket = sock
        self._units = 0
        self._reported = time.monotonic()

    def __call__(self, units: int) -> None:
        self._units += units
        now = time.monotonic()
        if now - self._reported >= _SECONDS_BETWEEN_REPORTS:
            self._reported = now
            send_message(self._socket, {"progress": self.take()})

    def take(self) -> int:
        """How many units were not passed on yet."""
        units, self._units = self._units, 0
        return units
