"""OracleServer: the oracle of keras_tuner for trials in other processes.

It is keras_tuner's own service on a Unix socket in a directory of this user, so that there is no
port that others could reach or take. keras_tuner's own loop around it would wait for ever for a
process that was killed, and for up to twenty seconds for those that are done.
"""

from __future__ import annotations

import contextlib
import os
from collections import Counter
from collections.abc import Callable
from concurrent import futures
from typing import Any

from trainwright._imports import require
from trainwright.components.tuner.keras_tuner_search import explain_failures

# A trial whose process dies as often counts as failed.
_MOST_DEATHS = 2
# Where a process leaves why its trial failed, which keras_tuner's messages have no place for.
_FAILURE_FILE = "failure.txt"


class OracleServer:
    """Answers the processes that try, within a `with` block.

    One thread does all that is done with the oracle: keras_tuner's lock of it is never released by
    a function that raises.

    Args:
        tuner: The tuner whose oracle knows of all trials.
        address: Where it listens, as gRPC has it.
        tell: Is told what happens to trials, by the server's thread.
    """

    def __init__(self, tuner: Any, address: str, tell: Callable[..., None]) -> None:
        from keras_tuner.src import protos

        grpc = require("grpc", package="grpcio")
        self.oracle = tuner.oracle
        self._tuner = tuner
        self._tell = tell
        self._deaths: Counter[str] = Counter()
        self._thread = futures.ThreadPoolExecutor(max_workers=1)
        self._server = grpc.server(self._thread)
        servicer = _make_servicer(self)
        protos.get_service_grpc().add_OracleServicer_to_server(servicer, self._server)
        self._server.add_insecure_port(address)

    def __enter__(self) -> OracleServer:
        self._server.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._server.stop(grace=None).wait()

    def give_up(self, tuner_id: str, cause: str) -> bool:
        """Frees the trial of a process that died; says whether it will be tried once more.

        It stays with the name of the process, so that whoever takes its place gets it.
        """
        return self._thread.submit(self._give_up, tuner_id, cause).result()

    def _give_up(self, tuner_id: str, cause: str) -> bool:
        from keras_tuner.src.engine.metrics_tracking import MetricsTracker

        trial = self.oracle.ongoing_trials.get(tuner_id)
        if trial is None:
            return False
        self._deaths[trial.trial_id] += 1
        if self._deaths[trial.trial_id] < _MOST_DEATHS:
            trial.metrics = MetricsTracker()
            return True
        trial.status, trial.message = "FAILED", cause
        with contextlib.suppress(RuntimeError):  # that the search is given up was told
            self.end_trial(trial)
        return False

    def tell_begun(self, trial_id: str, tuner_id: str) -> None:
        """Tells who begins a trial, if one begins: an oracle may have none to give."""
        known = list(self.oracle.trials)
        if trial_id in known:
            number = known.index(trial_id) + 1
            trials = self.oracle.max_trials
            self._tell(kind="begun", name=tuner_id, number=number, trials=trials)

    def end_trial(self, trial: Any) -> None:
        """Ends a trial; tells the best score, or that the search is given up, and why."""
        trial.message = trial.message or self._read_failure(trial.trial_id)
        try:
            self.oracle.end_trial(trial)
        except RuntimeError as error:
            self._tell(kind="gave_up", message=explain_failures(error, trial) or str(error))
            raise
        self._tuner.save()
        best = self.oracle.get_best_trials(1)
        if best and best[0].status == "COMPLETED":
            name, score = self.oracle.objective.name, float(best[0].score)
            self._tell(kind="best", objective=name, score=score)

    def _read_failure(self, trial_id: str) -> str | None:
        path = os.path.join(self._tuner.get_trial_dir(trial_id), _FAILURE_FILE)
        try:
            with open(path, encoding="utf-8") as file:
                return file.read()
        except OSError:
            return None


def leave_failure(tuner: Any, trial: Any) -> None:
    """Leaves why a trial failed to the process that has the oracle; nothing if it did not."""
    path = os.path.join(tuner.get_trial_dir(trial.trial_id), _FAILURE_FILE)
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)  # of an earlier try
    if trial.message:
        with open(path, "w", encoding="utf-8") as file:
            file.write(trial.message)


def _make_servicer(server: OracleServer) -> Any:
    from keras_tuner.src import protos
    from keras_tuner.src.distribute import oracle_chief
    from keras_tuner.src.engine.trial import Trial

    base: Any = oracle_chief.OracleServicer

    class Servicer(base):  # type: ignore[misc]
        """keras_tuner's service, which tells what happens to trials."""

        def CreateTrial(self, request: Any, context: Any) -> Any:
            answer = super().CreateTrial(request, context)
            server.tell_begun(answer.trial.trial_id, request.tuner_id)
            return answer

        def EndTrial(self, request: Any, context: Any) -> Any:
            server.end_trial(Trial.from_proto(request.trial))
            return protos.get_service().EndTrialResponse()

    return Servicer(server.oracle)
