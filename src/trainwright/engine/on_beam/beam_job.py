"""A Beam pipeline that is under way, and what the caller hears of its shards."""

from __future__ import annotations

import contextlib
import functools
import logging
import re
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Any

from trainwright._errors import TrainwrightError
from trainwright._imports import require
from trainwright._version import __version__
from trainwright.engine import stalls
from trainwright.engine.engine import ShardError
from trainwright.engine.hosted.hosting import HostedTask, Outcome
from trainwright.engine.on_beam import beam_tasks
from trainwright.engine.on_beam.beam_flags import shown
from trainwright.engine.on_beam.exchange import OPEN, Exchange
from trainwright.processes.pool import ATTEMPTS
from trainwright.processes.progress import Progress

_logger = logging.getLogger(__name__)

# How often an exchange is asked: an object store costs money.
_SECONDS_BETWEEN_LOOKS = 0.05
_SECONDS_BETWEEN_REMOTE_LOOKS = 1.0
_SECONDS_TO_STAY_OPEN = 600.0


class BeamEngineError(TrainwrightError, RuntimeError):
    """A Beam runner cannot be used, or does not do anything."""


class BeamJob(AbstractContextManager["BeamJob"]):
    """Processes some shards of an exchange in a pipeline, and those that it lost in another.

    Args:
        exchange: Has the shards.
        common: What all shards have in common.
        merging: What all merging has in common.
        flags: Beam's, with a runner.
        names: The names of the shards, by their numbers from 0.
        progress: Told which shards are under way.
        levels: How many levels of groups are merged.
        start_seconds: After this long without a worker that has begun, the job is given up.
    """

    def __init__(
        self,
        exchange: Exchange,
        common: HostedTask,
        merging: HostedTask,
        flags: Sequence[str],
        names: Sequence[str],
        progress: Progress,
        *,
        levels: int = 0,
        start_seconds: float,
    ) -> None:
        self._exchange = exchange
        self._common = common.to_json()
        self._merging = merging.to_json()
        self._flags = flags
        self._shown_flags = shown(" ".join(flags))
        self._names = names
        self._progress = progress
        self._looked = time.monotonic()
        self._heard_of: set[tuple[int, int]] = set()  # and that it is done
        self._levels = levels
        self._start_seconds = start_seconds
        self._attempts = 0
        self._failure: BaseException | None = None
        self._cancel: Callable[[], object] = lambda: None
        self._has_begun = False
        self._noted: set[tuple[int, int]] = set()
        self._launch(range(len(names)))

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._exchange.remove(OPEN)
        self._note_under_way([])
        if self._thread.is_alive() and exc_type is not None:
            # Not waited for: what does not answer would not answer to this either.
            threading.Thread(target=self._try_to_cancel, daemon=True).start()
        elif exc_type is None:
            self._thread.join()

    def _try_to_cancel(self) -> None:
        with contextlib.suppress(Exception):
            self._cancel()

    def outcome(self, level: int, number: int) -> Outcome:
        """What became of a shard or of a group, waiting for it.

        Raises:
            ShardError: if it was lost, although another pipeline has tried it.
            BeamEngineError: if the runner does not run anything.
        """
        seconds = _SECONDS_BETWEEN_LOOKS / 10
        while True:
            is_over = not self._thread.is_alive()
            found = beam_tasks.read_outcome(self._exchange, level, number)
            if found is not None:
                return found
            if is_over:
                self._try_again(level, number)
            self._check_begun()
            self._stay_open()
            self._look_around()
            time.sleep(seconds)
            is_remote = self._exchange.is_remote
            most = _SECONDS_BETWEEN_REMOTE_LOOKS if is_remote else _SECONDS_BETWEEN_LOOKS
            seconds = min(2 * seconds, most)

    def _look_around(self) -> None:
        """Looks now and then what else is under way than what is waited for."""
        if time.monotonic() - self._looked < stalls.SECONDS / stalls.LOOKS:
            return
        self._looked = time.monotonic()
        done = beam_tasks.read_done(self._exchange, self._levels)
        for one in done - self._heard_of:
            self._progress.begin(one, self._name(*one))
            self._progress.end(one)
        self._heard_of |= done
        begun = beam_tasks.read_begun(self._exchange)
        self._note_under_way([one for one in begun if one not in done])

    def _note_under_way(self, under_way: Sequence[tuple[int, int]]) -> None:
        for one in self._noted - set(under_way):
            self._progress.end(one)
        for one in under_way:
            self._progress.begin(one, self._name(*one))
        self._noted = set(under_way)

    def _name(self, level: int, number: int) -> str:
        if level == 0 and number < len(self._names):
            return self._names[number]
        return f"A group of {len(self._names)} shards"

    def _stay_open(self) -> None:
        """Shows that somebody waits, to those who remove what killed callers have left."""
        if time.monotonic() - self._opened > _SECONDS_TO_STAY_OPEN:
            self._open()

    def _open(self) -> None:
        self._opened = time.monotonic()
        self._exchange.write(OPEN, b"")

    def _check_begun(self) -> None:
        if self._has_begun or time.monotonic() - self._launched < self._start_seconds:
            return
        self._has_begun = self._exchange.has_any("begun")
        if self._has_begun:
            return
        raise BeamEngineError(
            f"No worker of Beam has begun within {self._start_seconds:g} s. The pipeline was given "
            f"to Beam with {self._shown_flags}. A runner that waits for workers says nothing: "
            "look whether they are running, reach this machine, and have the same Python and the "
            "same packages (a worker pool starts what is called `python` on its own PATH). If they "
            "need longer to start, give the engine more: beam://?start_seconds=600."
        )

    def _try_again(self, level: int, number: int) -> None:
        """Starts another pipeline for what is missing after one has ended."""
        words = _in_words(self._failure)
        if isinstance(self._failure, ImportError):
            raise self._failure
        if not self._has_begun and not self._exchange.has_any("begun"):
            raise BeamEngineError(
                f"Beam did not run the pipeline: {words} It was given {self._shown_flags}."
            ) from self._failure
        if self._attempts == ATTEMPTS:
            raise ShardError(self._name(level, number), f"it was lost: {words}", ATTEMPTS)
        _logger.warning("Shards were lost and are tried again: %s", words)
        self._launch(range(len(self._names)))

    def _launch(self, numbers: Sequence[int]) -> None:
        self._attempts += 1
        self._failure = None
        self._launched = time.monotonic()
        self._open()
        pipeline = self._make(numbers)
        self._thread = threading.Thread(target=self._run, args=[pipeline], daemon=True)
        self._thread.start()

    def _make(self, numbers: Sequence[int]) -> Any:
        beam = require("apache_beam", "beam")
        options = require("apache_beam.options.pipeline_options", "beam")
        place, key = self._exchange.place, self._exchange.key
        process = functools.partial(
            beam_tasks.process_shard, place=place, key=key, common=self._common
        )
        pipeline = beam.Pipeline(options=options.PipelineOptions(list(self._flags)))
        done = (
            pipeline
            | "Shards" >> beam.Create(list(numbers))
            | "Spread" >> beam.Reshuffle()
            | "Process" >> beam.Map(process)
        )
        for level in range(1, self._levels + 1):
            merge = functools.partial(
                beam_tasks.merge_group, place=place, key=key, merging=self._merging, level=level
            )
            done = (
                done | f"Group {level}" >> beam.GroupByKey() | f"Merge {level}" >> beam.Map(merge)
            )
        return pipeline

    def _run(self, pipeline: Any) -> None:
        try:
            result = pipeline.run()
            self._cancel = result.cancel
            result.wait_until_finish()
        except BaseException as error:
            self._failure = error


# How the last line of a traceback begins: the name of an exception.
_EXCEPTION = re.compile(r"^(?:\w+\.)*\w+(?:Error|Exception|Exit|Interrupt)\b")


def _in_words(failure: BaseException | None) -> str:
    """Why a pipeline has ended, in one line: of a traceback of another process, its end.

    >>> _in_words(RuntimeError("Job failed: Traceback ...\\n  a line\\nKeyError: 'a'\\n"))
    "KeyError: 'a'."
    """
    if failure is None:
        return "its worker is gone."
    lines = str(failure).splitlines()
    ends = [line.strip() for line in lines if _EXCEPTION.match(line)]
    is_traceback = any("Traceback" in line for line in lines)
    words = ends[-1] if is_traceback and ends else " ".join(str(failure).split())
    words = shown(words or type(failure).__name__).rstrip(".")
    if "No module named 'trainwright'" in words:
        return (
            f"{words}. The workers have no Trainwright: install trainwright=={__version__} where "
            "they run, in the image that --sdk_container_image names for example."
        )
    return f"{words}."
