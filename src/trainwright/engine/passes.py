"""What an engine runs: passes over shards.

A pass is written once and run by any engine. It comes in two shapes. An `AccumulatingPass` turns
each shard into an accumulator; the accumulators are merged and give one result: statistics, an
analysis, an evaluation. A `MappingPass` turns each shard into an output shard: predictions,
transformed examples.

Neither shards nor passes are pickled. A pass travels as a `PassSpec`, the name of what builds it
and JSON; a shard is JSON, and bytes if it brings its data; an accumulator makes itself bytes.
"""

from __future__ import annotations

import abc
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from trainwright._imports import load_object
from trainwright.processes.tasks import ReportUnits as ReportUnits

AccumulatorT = TypeVar("AccumulatorT")
ResultT = TypeVar("ResultT")


class ShardData(abc.ABC):
    """Data of a shard that are made bytes only if the shard goes to another process.

    A pass finds it in `Shard.data` where it runs in the process that made the shard, and bytes
    elsewhere.
    """

    @abc.abstractmethod
    def pack(self) -> bytes | memoryview:
        """The data as bytes, without pickling."""


@dataclass(frozen=True, kw_only=True)
class Shard:
    """A part of the data, small enough for one process at a time.

    Args:
        name: What an error calls it; a path, as a rule.
        config: What a pass must know in order to read it, as JSON.
        size: About how many bytes it has; decides whether other processes are worth starting.
        data: What a pass reads, if the config alone does not lead to it. It is held until the shard
            is done.

    Example: `Shard(name=path, config={"path": path}, size=os.path.getsize(path))`
    """

    name: str
    config: Mapping[str, Any] = field(default_factory=dict)
    size: int = 0
    data: bytes | ShardData = b""

    @property
    def packed_data(self) -> bytes | memoryview:
        """The data as they travel to another process."""
        return self.data.pack() if isinstance(self.data, ShardData) else self.data

    def to_json(self) -> dict[str, Any]:
        """Everything but the data."""
        return {"name": self.name, "config": dict(self.config), "size": self.size}

    @classmethod
    def from_json(cls, value: Mapping[str, Any], data: bytes = b"") -> Shard:
        return cls(name=value["name"], config=value["config"], size=value["size"], data=data)


@dataclass(frozen=True)
class ShardStream(Iterable[Shard]):
    """Shards that the caller makes while the pass runs, for input that is read once and in order.

    An engine takes them one by one, in the caller's thread, when it has somewhere to put them.

    Args:
        shards: What makes them; iterated over once. What it raises ends the pass as it is.
        size: About how many bytes all of them have together.

    Example: `ShardStream((Shard(name=f"block {n}", data=b) for n, b in enumerate(blocks)), size)`
    """

    shards: Iterable[Shard]
    size: int

    def __iter__(self) -> Iterator[Shard]:
        return iter(self.shards)


# What a pass goes over: shards that are all known, or a stream of them.
Shards = Sequence[Shard] | ShardStream


class Pass(abc.ABC):
    """What both shapes have in common: bytes for each shard.

    A pass keeps nothing between shards: which shards one process gets, and in which order, is the
    engine's business.
    """

    @abc.abstractmethod
    def run(self, shard: Shard, report: ReportUnits) -> bytes:
        """Does all the work for one shard, in whatever process the engine chose.

        It may be called again for a shard that failed, so it must replace what an earlier call
        left behind. An exception fails the shard.
        """


class AccumulatingPass(Pass, Generic[AccumulatorT, ResultT]):
    """Shards to accumulators, accumulators to one result.

    An engine merges in the order of the shards, starting with an empty accumulator, and each
    accumulator has been bytes before it is merged. So a result may depend on the order of merging,
    as sketches do, and is the same for any number of processes.
    """

    @abc.abstractmethod
    def create(self) -> AccumulatorT:
        """An accumulator that has seen nothing."""

    @abc.abstractmethod
    def add(self, accumulator: AccumulatorT, shard: Shard, report: ReportUnits) -> AccumulatorT:
        """Reads a shard into an accumulator, which may be changed in place."""

    @abc.abstractmethod
    def merge(self, accumulator: AccumulatorT, other: AccumulatorT) -> AccumulatorT:
        """Both together; `accumulator`, which comes first, may be changed in place."""

    @abc.abstractmethod
    def extract(self, accumulator: AccumulatorT) -> ResultT:
        """The result; called once, when all shards are merged."""

    @abc.abstractmethod
    def serialize(self, accumulator: AccumulatorT) -> bytes:
        """The accumulator as bytes, without pickling."""

    @abc.abstractmethod
    def deserialize(self, data: bytes) -> AccumulatorT:
        """The inverse of `serialize`."""

    def run(self, shard: Shard, report: ReportUnits) -> bytes:
        return self.serialize(self.add(self.create(), shard, report))


class MappingPass(Pass):
    """Shards to output shards."""

    @abc.abstractmethod
    def write(self, shard: Shard, report: ReportUnits) -> Mapping[str, Any]:
        """Writes the output shard and says, as JSON, what and where it is."""

    def run(self, shard: Shard, report: ReportUnits) -> bytes:
        return json.dumps(dict(self.write(shard, report))).encode()


@dataclass(frozen=True)
class PassSpec:
    """How any process builds a pass: the name of a class or function, and its arguments as JSON.

    Args:
        factory: `"module:name"`; the module is imported where the pass runs.
        arguments: Keyword arguments.

    Example: `PassSpec("my_package.counting:CountWords", {"minimum_length": 3})`
    """

    factory: str
    arguments: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        module, _, name = self.factory.partition(":")
        if not (module and name) or module == "__main__":
            raise ValueError(
                f"A pass is named {self.factory!r}: expected 'module:name', with a module that "
                "other processes can import, which __main__ is not."
            )
        # Arguments that only this process could understand fail here, not in a worker.
        json.dumps(dict(self.arguments))

    def build(self) -> Pass:
        # By way of JSON, so that the pass is the same in this process and in another.
        built = load_object(self.factory)(**json.loads(json.dumps(dict(self.arguments))))
        if not isinstance(built, Pass):
            raise TypeError(f"{self.factory} made {built!r}: expected a Pass.")
        return built

    def to_json(self) -> dict[str, Any]:
        return {"factory": self.factory, "arguments": dict(self.arguments)}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> PassSpec:
        return cls(value["factory"], value["arguments"])
