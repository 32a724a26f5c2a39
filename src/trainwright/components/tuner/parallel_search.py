"""ParallelSearch: trials in several processes at a time, none of which outlives the node.

The node's own process only watches: it calls no code of the user's, so that processes can be forked
from it whenever one has to be replaced. One process leads and the others try
(`trial_processes.py`).
"""

from __future__ import annotations

import logging
import os
import selectors
import shutil
import sys
import tempfile
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from trainwright.components.tuner.results import SearchResults
from trainwright.components.tuner.search_progress import ReportProgress
from trainwright.components.tuner.trial_processes import KNOWN_ERRORS
from trainwright.dsl.base_executor import ArtifactDict
from trainwright.processes.child import Child
from trainwright.processes.frame import (
    ConnectionClosedError,
    MalformedMessageError,
    receive_message,
    send_message,
)
from trainwright.types import json_utils

_logger = logging.getLogger(__name__)

_ENTRIES = "trainwright.components.tuner.trial_processes"
_LEADER = "chief"
# The path of a Unix socket has a hundred bytes.
_LONGEST_DIRECTORY = 70
# A process that dies as often without a trial will not get one.
_MOST_IDLE_DEATHS = 2


def search_in_parallel(
    input_dict: ArtifactDict,
    exec_properties: Mapping[str, Any],
    working_dir: str,
    *,
    processes: int,
    log_dir: str,
    temporary_dir: str,
    report: ReportProgress,
) -> SearchResults:
    """Searches with the user's `tuner_fn`, with trials in this many processes.

    Args:
        input_dict: The Tuner's inputs.
        exec_properties: Its properties.
        working_dir: Where trials outlive an attempt.
        processes: How many trials run at a time.
        log_dir: Where each of the processes has a log.
        temporary_dir: Where the socket goes over which they speak.
        report: Takes the progress.

    Raises:
        RuntimeError: which says why, if the search cannot go on.
    """
    is_short = len(os.fsencode(temporary_dir)) < _LONGEST_DIRECTORY
    private = tempfile.mkdtemp(prefix="tuner-", dir=temporary_dir if is_short else None)
    request = {
        "inputs": json_utils.dumps(input_dict),
        "properties": dict(exec_properties),
        "working_dir": working_dir,
        "oracle_address": f"unix:{os.path.join(private, 'oracle')}",
    }
    search = _ParallelSearch(request, processes, log_dir, report)
    try:
        return search.run()
    finally:
        search.end()
        shutil.rmtree(private, ignore_errors=True)


@dataclass(eq=False)
class _Process:
    """A process of the search.

    Args:
        name: Its name for keras_tuner, which is in its log's name as well.
        child: The process.
        trial: The trial that it is known to be trying.
        has_leave: Whether it may begin a trial, or has begun it.
        had_trial: Whether it has tried anything.
        is_done: Whether it has said that nothing is left to do.
    """

    name: str
    child: Child
    trial: Any = None
    has_leave: bool = False
    had_trial: bool = False
    is_done: bool = False

    def send(self, **message: Any) -> None:
        try:
            send_message(self.child.socket, message)
        except (BrokenPipeError, ConnectionResetError):
            _logger.debug("%s is gone; its socket will say so", self.name)


class _ParallelSearch:
    """The state of one search."""

    def __init__(
        self, request: Mapping[str, Any], processes: int, log_dir: str, report: ReportProgress
    ) -> None:
        self._request = request
        self._names = [f"worker{number}" for number in range(1, processes + 1)]
        self._log_dir = log_dir
        self._report = report
        self._selector = selectors.DefaultSelector()
        self._processes: list[_Process] = []
        self._leader: _Process | None = None
        self._results: SearchResults | None = None
        # How many more trials may begin; None if whoever leads decides.
        self._remaining: int | None = None
        self._idle_deaths = 0
        # The names of dead processes whose successors are yet to be started.
        self._lost: set[str] = set()
        self._seen: dict[str, Any] = {}

    def run(self) -> SearchResults:
        self._leader = self._start(_LEADER, "lead", [self._request])
        while self._results is None:
            for key, _ in self._selector.select():
                self._hear(key.data)
                if self._results is not None:
                    break
        return self._results

    def end(self) -> None:
        """Whatever happened, nothing is left running."""
        for process in self._processes:
            process.child.kill()
        self._selector.close()

    def _start(self, name: str, entry: str, arguments: list[Any]) -> _Process:
        address = self._request["oracle_address"]
        # Together they are gRPC's name of a Unix socket.
        scheme, _, path = address.partition(":")
        environment = {
            "KERASTUNER_TUNER_ID": name,
            "KERASTUNER_ORACLE_IP": scheme,
            "KERASTUNER_ORACLE_PORT": path,
        }
        child = Child(f"{_ENTRIES}:{entry}", arguments, environment=environment, fork=_can_fork())
        process = _Process(name, child)
        self._processes.append(process)
        self._selector.register(child.socket, selectors.EVENT_READ, process)
        return process

    def _start_worker(self, name: str) -> None:
        log = os.path.join(self._log_dir, f"trials-{name}.log")
        process = self._start(name, "work", [self._request, log])
        _logger.info("Process %d (%s) tries; its log is %s", process.child.pid, name, log)

    def _hear(self, process: _Process) -> None:
        try:
            message, _, _ = receive_message(process.child.socket)
        except (ConnectionClosedError, MalformedMessageError):
            self._selector.unregister(process.child.socket)
            self._processes.remove(process)
            if process.is_done:
                process.child.close()
            else:
                self._bury(process)
            return
        handle = getattr(self, f"_on_{message.pop('kind')}")
        handle(process, **message)

    def _bury(self, process: _Process) -> None:
        """A process died before it was done: its trial is given up, and another takes its place."""
        cause = process.child.describe_death()
        process.child.kill()
        if process is self._leader:
            raise RuntimeError(
                f"The search ended: {cause}. It is the process that keeps the trials of all "
                "others. Finished trials are kept: the next run goes on after them."
            )
        assert self._leader is not None
        _logger.warning("%s, which tries: %s", process.name, cause)
        self._idle_deaths = 0 if process.had_trial else self._idle_deaths + 1
        if self._idle_deaths >= _MOST_IDLE_DEATHS:
            raise RuntimeError(
                f"The search ended: processes die before they have tried anything. The last: "
                f"{cause}. Its log is {self._log_dir}/trials-{process.name}.log."
            )
        if process.has_leave and process.trial is None and self._remaining is not None:
            self._remaining += 1
        # Its successor starts when the trial is free.
        self._lost.add(process.name)
        self._leader.send(kind="lost", name=process.name, trial=process.trial, cause=cause)

    # What processes say

    def _on_ready(self, process: _Process, remaining: int | None, hands_out: bool) -> None:
        if remaining == 0:
            process.send(kind="finish")
            return
        # A process that has nothing to try need not be started.
        for name in self._names[:remaining]:
            self._start_worker(name)
        self._remaining = None if hands_out else remaining

    def _on_gave_up_trial(self, process: _Process, name: str, will_repeat: bool) -> None:
        if will_repeat:
            _logger.warning("The trial of %s is tried again.", name)
            if self._remaining is not None:
                self._remaining += 1
        else:
            _logger.warning("The trial of %s, if it had one, counts as failed.", name)
        self._lost.discard(name)
        self._start_worker(name)

    def _on_gave_up(self, process: _Process, message: str) -> None:
        raise RuntimeError(message)

    def _on_error(self, process: _Process, type: str, message: str, traceback: str) -> None:
        where = "" if process is self._leader else f" ({process.name})"
        _logger.error("A process of the search%s failed:\n%s", where, traceback)
        raise _error_of(type, message)

    def _on_begun(self, process: _Process, name: str, number: int, trials: int | None) -> None:
        for one in self._processes:
            one.had_trial = one.had_trial or one.name == name
        self._tell(trial=number, trials=trials)

    def _on_best(self, process: _Process, objective: str, score: float) -> None:
        self._tell(**{f"best {objective}": score})

    def _on_working(self, process: _Process, trial: int) -> None:
        process.trial, process.had_trial = trial, True

    def _on_ended(self, process: _Process, trial: int) -> None:
        process.trial, process.has_leave = None, False

    def _on_ask(self, process: _Process) -> None:
        go = self._remaining is None or self._remaining > 0
        if go and self._remaining is not None:
            self._remaining -= 1
        process.has_leave = go
        process.send(kind="answer", go=go)

    def _on_stopped(self, process: _Process) -> None:
        self._remaining = 0

    def _on_progress(self, process: _Process, progress: Mapping[str, Any]) -> None:
        process.had_trial = True
        self._tell(**progress)

    def _on_done(self, process: _Process) -> None:
        process.is_done = True
        assert self._leader is not None
        others = [one for one in self._processes if one is not self._leader]
        if not self._lost and all(one.is_done for one in others):
            self._leader.send(kind="finish")

    def _on_results(self, process: _Process, results: Mapping[str, Any]) -> None:
        process.is_done = True
        self._results = SearchResults.from_json(results)

    def _tell(self, **progress: Any) -> None:
        self._seen.update({name: value for name, value in progress.items() if value is not None})
        self._report(self._seen)


def _error_of(type_name: str, message: str) -> Exception:
    """An error as it was raised in another process, if its type is one of Python's own."""
    for known in KNOWN_ERRORS:
        if known.__name__ == type_name:
            return known(message)
    return RuntimeError(f"{type_name}: {message}")


def _can_fork() -> bool:
    """Whether a fork of this process has all that it needs: nothing here has started a thread."""
    if sys.platform != "linux" or threading.active_count() > 1:
        return False
    if "tensorflow" not in sys.modules:
        return True
    from trainwright.components.forking import can_fork

    return can_fork()
