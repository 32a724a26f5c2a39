"""Passes over shards, which engines run.

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
        reads: Keys of the config that have the path of a file, or its URI, that the pass reads. The
            pass opens it by `shard_files.local_path`, which leads to a copy where there is one.
        writes: Keys of the config that have the path of what a `MappingPass` writes: a file, or a
            directory below which it writes files. An engine that brings files back gives the pass a
            path of its own there.
        contents: What the objects among what it reads must be, by URI: size, time and CRC32C, as in
            a manifest. What is read of them is checked against it.

    Example: `Shard(name=path, config={"path": path}, size=os.path.getsize(path), reads=["path"])`
    """

    name: str
    config: Mapping[str, Any] = field(default_factory=dict)
    size: int = 0
    data: bytes | ShardData = b""
    reads: Sequence[str] = ()
    writes: Sequence[str] = ()
    contents: Mapping[str, Sequence[int]] = field(default_factory=dict)

    @property
    def packed_data(self) -> bytes | memoryview:
        """The data as they travel to another process."""
        return self.data.pack() if isinstance(self.data, ShardData) else self.data

    def to_json(self) -> dict[str, Any]:
        """Everything but the data."""
        return {
            "name": self.name,
            "config": dict(self.config),
            "size": self.size,
            "reads": list(self.reads),
            "writes": list(self.writes),
            "contents": dict(self.contents),
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any], data: bytes = b"") -> Shard:
        return cls(
            name=value["name"],
            config=value["config"],
            size=value["size"],
            data=data,
            reads=tuple(value.get("reads", ())),
            writes=tuple(value.get("writes", ())),
            contents=value.get("contents", {}),
        )


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
    accumulator has been bytes before it is merged. Many shards are merged in groups of neighbours,
    by the tree of `merging.MergeTree`, where the engine's processes are. So a result may depend on
    the order of merging, as sketches do, and is the same for any engine and number of processes.
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

    def merge_serialized(self, group: Iterable[bytes]) -> bytes:
        """Accumulators of neighbouring shards as one, in whatever process the engine chose."""
        accumulator = self.create()
        for data in group:
            accumulator = self.merge(accumulator, self.deserialize(data))
        return self.serialize(accumulator)


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
        files: Where in the arguments there are paths of files and directories that the pass reads,
            each as the keys that lead to it. An engine whose processes have another disk brings
            them there and gives the pass the paths that they have there; None is left alone.

    Example:
        ```py
        PassSpec("my_package.asking:AskModel", {"model": {"path": path}}, [("model", "path")])
        ```
    """

    factory: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    files: Sequence[Sequence[str]] = ()

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
        return {
            "factory": self.factory,
            "arguments": dict(self.arguments),
            "files": [list(keys) for keys in self.files],
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> PassSpec:
        return cls(value["factory"], value["arguments"], tuple(map(tuple, value.get("files", ()))))

    def paths(self) -> list[str]:
        """The files and directories that it reads."""
        found = [_look_up(self.arguments, keys) for keys in self.files]
        return list(dict.fromkeys(path for path in found if path))

    def with_paths(self, others: Mapping[str, str]) -> PassSpec:
        """The same pass where files have other paths, by those that they have here."""
        arguments = json.loads(json.dumps(dict(self.arguments)))
        for keys in self.files:
            path = _look_up(arguments, keys)
            if path in others:
                _look_up(arguments, keys[:-1])[keys[-1]] = others[path]
        return PassSpec(self.factory, arguments, self.files)


def _look_up(value: Any, keys: Sequence[str]) -> Any:
    for key in keys:
        value = value[key]
    return value
