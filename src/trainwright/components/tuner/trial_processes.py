"""Processes of a parallel search: one leads, the others run trials.

The leader holds the oracle of keras_tuner, or puts the study of Optuna in order; it tries nothing.
Each of the others calls `tuner_fn` itself and runs trials. They speak with `ParallelSearch` in the
frame of all our processes: whoever begins or ends a trial says so.
"""

from __future__ import annotations

import logging
import os
import queue
import socket
import sys
import threading
import time
import traceback
from collections.abc import Callable, Mapping
from typing import Any

from trainwright.components.tuner.keras_tuner_search import KerasTunerSearch
from trainwright.components.tuner.optuna_search import OptunaSearch
from trainwright.components.tuner.oracle_server import OracleServer, leave_failure
from trainwright.components.tuner.search import Search, open_search
from trainwright.processes.frame import ConnectionClosedError, receive_message, send_message
from trainwright.types import json_utils

_logger = logging.getLogger(__name__)

_LOG_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"
# Errors that the node raises as they were raised in another process.
KNOWN_ERRORS = (ValueError, TypeError, AttributeError, ImportError, RuntimeError)
# How long a trial waits to be asked for again while its oracle waits for others.
_IDLE_SECONDS = 0.2


class Line:
    """The line of a process of a search to the node.

    If the other end is gone, so is the node, and this process ends at once, whatever it does.
    """

    def __init__(self, sock: socket.socket) -> None:
        self._socket = sock
        self._lock = threading.Lock()
        self._received: queue.Queue[dict[str, Any]] = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()

    def send(self, **message: Any) -> None:
        with self._lock:
            send_message(self._socket, message)

    def receive(self) -> dict[str, Any]:
        """Waits for the next message of the node."""
        return self._received.get()

    def _listen(self) -> None:
        while True:
            try:
                message, _, _ = receive_message(self._socket)
            except (ConnectionClosedError, OSError, ValueError):
                os._exit(1)
            self._received.put(message)


def lead(sock: socket.socket, request: Mapping[str, Any]) -> None:
    """The entry of the process that leads."""
    line = Line(sock)
    _run(line, lambda: _lead(line, request))


def work(sock: socket.socket, request: Mapping[str, Any], log: str) -> None:
    """The entry of a process that tries; everything it prints goes to its own log."""
    line = Line(sock)
    _write_log_to(log)
    _run(line, lambda: _work(line, request))


def _run(line: Line, action: Callable[[], None]) -> None:
    """Whatever goes wrong is told; the node decides what happens then."""
    logging.basicConfig(level=logging.INFO, stream=sys.stderr, format=_LOG_FORMAT, force=True)
    try:
        action()
    except BaseException as error:
        traceback.print_exc()
        text = "".join(traceback.format_exception(error))
        line.send(kind="error", type=_name_of(error), message=str(error), traceback=text)


def _name_of(error: BaseException) -> str:
    """The name of an error's type, or of that of Python's own which it is."""
    known = (one.__name__ for one in type(error).__mro__ if one in KNOWN_ERRORS)
    return next(known, type(error).__name__)


def _write_log_to(path: str) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW, 0o644)
    for number in (1, 2):
        os.dup2(descriptor, number)
    os.close(descriptor)


def _open(line: Line, request: Mapping[str, Any], *, leads: bool) -> Search:
    return open_search(
        json_utils.loads(request["inputs"]),
        request["properties"],
        request["working_dir"],
        lambda progress: line.send(kind="progress", progress=dict(progress)),
        is_first_opened=leads,
    )


def _lead(line: Line, request: Mapping[str, Any]) -> None:
    search = _open(line, request, leads=True)
    if isinstance(search, OptunaSearch):
        _lead_optuna(search, line)
    else:
        assert isinstance(search, KerasTunerSearch)
        _lead_keras_tuner(search, line, request["oracle_address"])
    line.send(kind="results", results=search.results().to_json())


def _lead_keras_tuner(search: KerasTunerSearch, line: Line, address: str) -> None:
    search.tuner.search_space_summary()
    search.tuner.save()
    with OracleServer(search.tuner, address, line.send) as server:
        line.send(kind="ready", remaining=_count_remaining(search.tuner.oracle), hands_out=True)
        _serve(line, lambda lost: server.give_up(lost["name"], lost["cause"]))
    search.tuner.results_summary()


def _count_remaining(oracle: Any) -> int | None:
    """How many trials an oracle may hand out, with those that are tried again; None if any."""
    if oracle.max_trials is None:
        return None
    return max(int(oracle.max_trials) - len(oracle.end_order), 0)


def _lead_optuna(search: OptunaSearch, line: Line) -> None:
    line.send(kind="ready", remaining=search.remaining, hands_out=False)
    _serve(line, lambda lost: search.storage.give_up(lost["trial"], lost["cause"]))


def _serve(line: Line, give_up: Callable[[Mapping[str, Any]], bool]) -> None:
    """Takes care of the trials of dead processes until all is done."""
    while (message := line.receive())["kind"] != "finish":
        line.send(kind="gave_up_trial", name=message["name"], will_repeat=give_up(message))


def _work(line: Line, request: Mapping[str, Any]) -> None:
    search = _open(line, request, leads=False)
    if isinstance(search, OptunaSearch):
        _try_with_optuna(search, line)
    else:
        assert isinstance(search, KerasTunerSearch)
        _try_with_keras_tuner(search)
    line.send(kind="done")


def _try_with_keras_tuner(search: KerasTunerSearch) -> None:
    """Runs the trials that the oracle gives, until it has no more."""
    tuner = search.tuner
    # Whatever id the user gave: to one id, an oracle gives one trial.
    tuner.tuner_id = os.environ["KERASTUNER_TUNER_ID"]
    create, begin, end = tuner.oracle.create_trial, tuner.on_trial_begin, tuner.on_trial_end

    def create_trial(tuner_id: str) -> Any:
        trial = create(tuner_id)
        if trial.status == "IDLE":
            time.sleep(_IDLE_SECONDS)
        return trial

    def on_trial_begin(trial: Any) -> None:
        _logger.info("Trial %s begins: %s", trial.trial_id, trial.hyperparameters.values)
        begin(trial)

    def on_trial_end(trial: Any) -> None:
        search.tell_failure(trial)
        leave_failure(tuner, trial)
        end(trial)

    tuner.oracle.create_trial = create_trial
    tuner.on_trial_begin, tuner.on_trial_end = on_trial_begin, on_trial_end
    tuner.search(**search.fit_kwargs)


def _try_with_optuna(search: OptunaSearch, line: Line) -> None:
    """Runs trials as long as the node gives leave for another one."""
    if search.fit_kwargs.pop("n_jobs", 1) != 1:
        raise ValueError(
            "fit_kwargs has n_jobs and the Tuner has tune_args.num_parallel_trials: expected one "
            "of them. Leave n_jobs out: then each trial has a process and a log of its own."
        )
    is_over = False

    def may_go_on() -> bool:
        line.send(kind="ask")
        return bool(line.receive()["go"])

    def after_trial(study: Any, trial: Any) -> None:
        nonlocal is_over
        line.send(kind="ended", trial=trial.number)
        if not may_go_on():
            is_over = True
            study.stop()

    search.on_begin = lambda trial: line.send(kind="working", trial=trial.number)
    if may_go_on():
        search.optimize(n_trials=None, callbacks=[after_trial])
        if not is_over:  # the time is over, or a callback of the user's has stopped the study
            line.send(kind="stopped")
