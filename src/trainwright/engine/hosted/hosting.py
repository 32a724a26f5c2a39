"""Passes in the processes of another engine, which host worker processes like the local engine's.

A process of Ray or Beam is not where a pass runs: it has a child that is our worker. So a crash has
its exit status, what a process has imported and printed is as it is locally, and a failing shard is
tried again where it failed. What a host is told is a `HostedTask`; what it answers is an `Outcome`.
"""

from __future__ import annotations

import json
import logging
import os
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from typing import Any

from trainwright._autograph_files import AUTOGRAPH_DIRECTORY
from trainwright._version import __version__
from trainwright.engine.engine import InvalidInputError, ShardError
from trainwright.engine.hosted.carried_files import home, place
from trainwright.engine.local_engine import THREADS_OF_TENSORFLOW
from trainwright.engine.passes import PassSpec
from trainwright.processes.pool import PoolStoppedError, Task, TaskPool
from trainwright.processes.progress import Progress
from trainwright.processes.tasks import InvalidTaskError, TaskFailedError, describe

_logger = logging.getLogger(__name__)

# Variables of the caller that decide how a pass computes. Named one by one: others may be secrets,
# as the address of a metadata store, or say something of the caller's machine alone.
_VARIABLES = (
    "KERAS_BACKEND",
    "TF_CPP_MIN_LOG_LEVEL",
    "TF_DETERMINISTIC_OPS",
    "TF_ENABLE_ONEDNN_OPTS",
    "TF_USE_LEGACY_KERAS",
    "TF_XLA_FLAGS",
    "TRAINWRIGHT_STORAGE_TIMEOUT",
)
_WORKER = "trainwright.engine.worker:main"


@dataclass(frozen=True, kw_only=True)
class HostedTask:
    """One task on its way to a host, as JSON; what it is done with travels beside it.

    Args:
        job: What `worker.main` is told of the pass.
        name: Of the shard.
        config: The shard as JSON.
        files: The digests of what the pass needs, by the caller's paths.
        setting: What the worker process is like; see `setting`.
    """

    job: Mapping[str, Any]
    name: str
    config: Mapping[str, Any] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    setting: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> HostedTask:
        return cls(**json.loads(text))


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What became of a task.

    Args:
        units: How much the pass has reported.
        failure: Why it was given up; "" if it was not.
        attempts: How often it was tried.
        is_invalid: Whether the pass itself says that it is the user's to mend.
        warnings: What is to be said of it.
    """

    units: int = 0
    failure: str = ""
    attempts: int = 1
    is_invalid: bool = False
    warnings: Sequence[str] = ()

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Outcome:
        return cls(**json.loads(text))

    def check(self, name: str) -> None:
        """Raises the error of a task that was given up.

        Raises:
            ShardError: if it failed, although it was tried again.
            InvalidInputError: if the pass says that it cannot be done.
        """
        if self.is_invalid:
            raise InvalidInputError(self.failure)
        if self.failure:
            raise ShardError(name, self.failure, self.attempts)


def setting(preload: Sequence[str] = (), *, is_on_this_machine: bool) -> dict[str, Any]:
    """What worker processes need of this one: variables, modules, and on the same machine its path.

    Args:
        preload: Modules that they import when they start.
        is_on_this_machine: Whether hosts see the same files, and so the same modules.
    """
    variables = {name: os.environ.get(name, "1") for name in THREADS_OF_TENSORFLOW}
    variables |= {name: os.environ[name] for name in _VARIABLES if name in os.environ}
    return {
        "version": __version__,
        "environment": variables,
        "preload": list(preload),
        "path": [os.path.abspath(entry) for entry in sys.path] if is_on_this_machine else [],
    }


def run_hosted(
    task: HostedTask,
    data: bytes | memoryview,
    fetch: Callable[[str], bytes],
    *,
    owner: str = "",
) -> tuple[Outcome, bytes]:
    """Does a task in a worker process of this host.

    Args:
        task: What to do.
        data: What to do it with.
        fetch: Gives the content of carried files, by their digest.
        owner: What the task belongs to, for `stop_tasks`.
    """
    theirs = task.setting.get("version", __version__)
    if theirs != __version__:
        failure = (
            f"The caller has Trainwright {theirs}, and {os.uname().nodename}, where {task.name} "
            f"was to be processed, has {__version__}: install the same on all machines."
        )
        return Outcome(failure=failure, is_invalid=True), b""
    progress = Progress(None)
    with _noted_warnings() as warnings:
        try:
            job = _job(task, fetch)
            with _borrowed_pool(task.setting, owner) as pool:
                [result] = pool.run(job, [Task(task.name, task.config, data)], progress)
        except TaskFailedError as error:
            outcome = Outcome(failure=error.cause, attempts=error.attempts, warnings=warnings)
            return outcome, b""
        except InvalidTaskError as error:
            return Outcome(failure=str(error), is_invalid=True, warnings=warnings), b""
        except Exception as error:
            return Outcome(failure=describe(error), warnings=warnings), b""
    return Outcome(units=progress.total, warnings=warnings), result


# The worker is told a job once, as long as it is the same object.
_jobs: dict[str, dict[str, Any]] = {}
_idle: list[tuple[str, TaskPool]] = []
_borrowed: list[tuple[str, TaskPool]] = []  # by what their tasks belong to
# What was stopped last: a task of it may be about to begin.
_stopped: deque[str] = deque(maxlen=1000)
_lock = threading.Lock()


def _job(task: HostedTask, fetch: Callable[[str], bytes]) -> dict[str, Any]:
    paths = {path: place(digest, fetch) for path, digest in task.files.items()}
    job = {**task.job, **PassSpec.from_json(task.job).with_paths(paths).to_json()}
    with _lock:
        if len(_jobs) > 16:
            _jobs.clear()
        return _jobs.setdefault(json.dumps(job, sort_keys=True), job)


@contextmanager
def _borrowed_pool(wanted: Mapping[str, Any], owner: str = "") -> Iterator[TaskPool]:
    """A worker process that no other thread of this host has, kept for the next task."""
    key = json.dumps(wanted, sort_keys=True)
    with _lock:
        found = next((one for one in _idle if one[0] == key), None)
        if found is not None:
            _idle.remove(found)
    pool = found[1] if found is not None else _start_pool(wanted)
    loan = (owner, pool)
    with _lock:
        _borrowed.append(loan)
        is_stopped = owner in _stopped
    is_sound = False
    try:
        if is_stopped:
            raise PoolStoppedError("nobody waits for the task")
        yield pool
        is_sound = True
    except (TaskFailedError, InvalidTaskError, PoolStoppedError):
        is_sound = not pool.is_stopped
        raise
    finally:
        with _lock:
            _borrowed.remove(loan)
            is_kept = is_sound and not pool.is_stopped
            if is_kept:
                _idle.append((key, pool))
        if not is_kept:
            pool.__exit__(RuntimeError, None, None)


def _start_pool(wanted: Mapping[str, Any]) -> TaskPool:
    sys.path.extend(entry for entry in wanted["path"] if entry not in sys.path)
    environment = dict(wanted["environment"])
    if AUTOGRAPH_DIRECTORY not in os.environ:
        # What a worker that is killed leaves of them goes with carried files that nobody uses.
        environment[AUTOGRAPH_DIRECTORY] = os.path.join(home(), f"autograph-{os.getpid()}")
    return TaskPool(_WORKER, 1, arguments=[wanted["preload"]], environment=environment)


def warm_up(wanted: Mapping[str, Any]) -> None:
    """Starts a worker process for the tasks to come."""
    with _borrowed_pool(wanted):
        pass


def end_workers() -> None:
    """Ends the worker processes that have nothing to do."""
    with _lock:
        idle, _idle[:] = list(_idle), []
    for _, pool in idle:
        pool.__exit__(None, None, None)


def stop_tasks(owner: str) -> None:
    """Kills the worker processes of this host that are at work for an owner, and begins no more.

    For a caller that hosts its own passes and waits for them no longer: what hangs in the user's
    code would go on for as long as the caller lives.
    """
    with _lock:
        _stopped.append(owner)
        for owner_of_pool, pool in _borrowed:
            if owner_of_pool == owner:
                pool.stop()


@contextmanager
def _noted_warnings() -> Iterator[list[str]]:
    """What this thread's pool says of a shard that is tried again, for the caller's log."""
    noted: list[str] = []
    thread = threading.get_ident()

    class Note(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if threading.get_ident() == thread:
                noted.append(record.getMessage())

    handler = Note(logging.WARNING)
    logger = logging.getLogger(TaskPool.__module__)
    logger.addHandler(handler)
    try:
        yield noted
    finally:
        logger.removeHandler(handler)


def log_warnings(outcome: Outcome) -> None:
    """Says in the caller's log what a host has noted."""
    for warning in outcome.warnings:
        _logger.warning("%s", warning)
