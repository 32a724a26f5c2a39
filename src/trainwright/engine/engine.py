"""Engine: the interface of what runs passes, and the errors it raises."""

from __future__ import annotations

import abc
import json
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

from trainwright._errors import TrainwrightError
from trainwright.engine.merging import MergeTree
from trainwright.engine.passes import AccumulatingPass, MappingPass, PassSpec, Shards
from trainwright.processes.progress import ReportProgress as ReportProgress
from trainwright.processes.tasks import InvalidTaskError, TaskFailedError

if TYPE_CHECKING:
    from typing_extensions import Self

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

    Where its processes are is the engine's business, but they must be able to import what the
    caller can (a pass travels as a name), and to read the files that passes and shards name, under
    the same paths: examples, models, the graph of a phase. Whether what they write comes back is
    said by `shares_filesystem`. If it does not:

    - Accumulators carry all that they hold. Vocabularies of a Transform that spill to disk put the
      spilled part into the bytes of their shard, so that these may be as large as the vocabulary.
    - `map` is refused, because its outputs are files, unless the engine says `carries_files` and
      the shards say what they write. Components run such passes, transformed examples for example,
      on the caller's machine instead (`choice.engine_for_files`).

    An engine may be used for many passes, by one thread at a time. A component opens it as a
    context manager around all of its passes: one that has processes or connections makes them when
    they are needed first, keeps them from pass to pass and gives them back in `__exit__`.
    """

    # Whether an engine that shares no filesystem brings there what passes and shards name as files
    # that they read, and back what they name as files that they write.
    carries_files: bool = False

    @property
    def shares_filesystem(self) -> bool:
        """Whether the caller finds the files that a pass writes where the caller said."""
        return True

    def __enter__(self) -> Self:
        return self

    def __exit__(  # noqa: B027  most engines have nothing to give back
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Gives back what was kept from pass to pass."""

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
        tree = MergeTree(built)
        for data in self.gather(spec, shards, report_progress):
            tree.add(data)
        return built.extract(tree.finish())

    def gather(
        self,
        spec: PassSpec,
        shards: Shards,
        report_progress: ReportProgress | None = None,
    ) -> Iterator[bytes]:
        """Yields the accumulators of an `AccumulatingPass`, in order, for this process to merge.

        By default those of all shards. An engine whose processes are elsewhere merges there, by
        groups of `merging.Levels`, and yields those that are left: `FAN_IN` at most.
        """
        return self.run(spec, shards, report_progress)

    def map(
        self,
        spec: PassSpec,
        shards: Shards,
        report_progress: ReportProgress | None = None,
    ) -> list[dict[str, Any]]:
        """What a `MappingPass` says of each output shard, in the order of the shards.

        Raises:
            ShardError: if a shard cannot be processed.
            InvalidInputError: if the engine shares no filesystem with the caller.
        """
        built = spec.build()
        if not isinstance(built, MappingPass):
            raise TypeError(f"{spec.factory} made {built!r}: expected a MappingPass.")
        if not self.shares_filesystem and not (self.carries_files and _say_what_they_write(shards)):
            raise InvalidInputError(
                f"{spec.factory} writes files, and {type(self).__name__} shares no filesystem with "
                "this process, which would not find them. Run such a pass on LocalEngine, which "
                "trainwright.engine.choice.engine_for_files gives."
            )
        return [json.loads(data) for data in self.run(spec, shards, report_progress)]


def _say_what_they_write(shards: Shards) -> bool:
    return isinstance(shards, Sequence) and all(shard.writes for shard in shards)
