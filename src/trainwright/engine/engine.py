"""Engine: the interface of what runs passes, and the errors it raises."""

from __future__ import annotations

import abc
import json
from collections.abc import Iterator
from typing import Any, TypeVar

from trainwright._errors import TrainwrightError
from trainwright.engine.passes import AccumulatingPass, MappingPass, PassSpec, Shards
from trainwright.processes.progress import ReportProgress as ReportProgress
from trainwright.processes.tasks import InvalidTaskError, TaskFailedError

ResultT = TypeVar("ResultT")


class ShardError(TrainwrightError, TaskFailedError):
    """A shard could not be processed, although it was tried again.

    Args:
        shard: The name of the shard.
        cause: What went wrong, in words.
        attempts: How often it was tried.
    """

    def __init__(self, shard: str, cause: str, attempts: int) -> None:
        super().__init__(shard, cause, attempts)
        self.shard = shard


class InvalidInputError(TrainwrightError, InvalidTaskError):
    """What a pass was given cannot be processed, however often it is tried.

    A pass raises it for what is the user's to mend, a wrong name in a config for example. It ends
    the pass at once, with its message as it is.
    """


class Engine(abc.ABC):
    """Runs passes over shards: on this machine, or on others.

    What every engine promises, and `trainwright.testing.engine_contract.EngineContract` tests:

    - The result depends on the pass and on the shards, not on the engine, its processes or the
      order in which shards get done: results come, and accumulators are merged, in the order of
      the shards.
    - Each shard counts once. One that fails is tried once more; then `ShardError` names it and the
      pass is given up. A process that dies costs its shard a try, and not the pass.
    - `InvalidInputError` of a pass is not tried again, and reaches the caller with its message.
    - Progress never counts a shard twice and ends at the sum of what all shards reported.
    - Memory does not grow with the number of shards. Of a stream of shards, only as many are taken
      as the engine works on, and a few more.

    An engine may be used for many passes, by one thread at a time.
    """

    @abc.abstractmethod
    def run(
        self,
        spec: PassSpec,
        shards: Shards,
        report_progress: ReportProgress | None = None,
    ) -> Iterator[bytes]:
        """Yields what the pass makes of each shard, in the order of the shards.

        Raises:
            ShardError: when the turn comes of a shard that failed.
        """

    def warm_up(self, shards: Shards) -> None:  # noqa: B027  most engines have nothing to
        """Starts what a pass over these shards will need, while this process does other things."""

    def accumulate(
        self,
        spec: PassSpec,
        shards: Shards,
        report_progress: ReportProgress | None = None,
    ) -> Any:
        """The result of an `AccumulatingPass`; without shards, that of an empty accumulator.

        Example: `engine.accumulate(PassSpec("my_package.counting:CountWords"), shards)`

        Raises:
            ShardError: if a shard cannot be processed.
        """
        built = spec.build()
        if not isinstance(built, AccumulatingPass):
            raise TypeError(f"{spec.factory} made {built!r}: expected an AccumulatingPass.")
        accumulator = built.create()
        for data in self.run(spec, shards, report_progress):
            accumulator = built.merge(accumulator, built.deserialize(data))
        return built.extract(accumulator)

    def map(
        self,
        spec: PassSpec,
        shards: Shards,
        report_progress: ReportProgress | None = None,
    ) -> list[dict[str, Any]]:
        """What a `MappingPass` says of each output shard, in the order of the shards.

        Raises:
            ShardError: if a shard cannot be processed.
        """
        built = spec.build()
        if not isinstance(built, MappingPass):
            raise TypeError(f"{spec.factory} made {built!r}: expected a MappingPass.")
        return [json.loads(data) for data in self.run(spec, shards, report_progress)]
