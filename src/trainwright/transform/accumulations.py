"""Accumulations: one for each kind of analyzer node, fed batch by batch.

The arithmetic is tf.Transform's own, that of its combiners. Accumulators travel and are cached as
their arrays or sketches; those that are something else, as the JSON of tf.Transform's cache coders.
Nothing that is read is unpickled.
"""

from __future__ import annotations

import abc
import base64
from collections.abc import Iterable, Sequence
from typing import Any

import cloudpickle
import numpy as np
from tensorflow_transform import analyzer_nodes
from tfx_bsl.sketches import QuantilesSketch

from trainwright.engine.packing import pack, unpack
from trainwright.transform.frequent_tokens import repeatable
from trainwright.transform.vocabulary_counts import VocabularyCounts, VocabularyKind

# What stands in place of the types of arrays where a sketch follows.
_SKETCH = "sketch"


class Accumulation(abc.ABC):
    """How the values of some tensors are gathered.

    Args:
        label: The name of the node, unique in its graph.
        keys: The tensors, by name.
    """

    def __init__(self, label: str, keys: Sequence[str]) -> None:
        self.label = label
        self.keys = tuple(keys)

    @abc.abstractmethod
    def arithmetic(self) -> Any:
        """What decides which accumulator a batch gives; the same for all nodes of one kind."""

    @abc.abstractmethod
    def create(self, spill_directory: str) -> Any:
        """An accumulator that has seen nothing; it may put into the directory what is too big."""

    @abc.abstractmethod
    def add(self, accumulator: Any, values: Sequence[np.ndarray]) -> Any:
        """Adds a batch: an array for each of the keys."""

    @abc.abstractmethod
    def merge(self, accumulators: Iterable[Any]) -> Any:
        """All of them together, the earliest first."""

    @abc.abstractmethod
    def serialize(self, accumulator: Any) -> bytes:
        """The accumulator as bytes, which may name files in its spill directory."""

    @abc.abstractmethod
    def deserialize(self, data: bytes, spill_directory: str) -> Any:
        """The inverse of `serialize`."""

    def to_cache(self, accumulator: Any) -> bytes:
        """The accumulator as bytes that need no other file."""
        return self.serialize(accumulator)


class CombineAccumulation(Accumulation):
    """Folds batches into one accumulator with a combiner of tf.Transform."""

    def __init__(self, label: str, keys: Sequence[str], combiner: Any) -> None:
        super().__init__(label, keys)
        self._combiner = combiner

    def arithmetic(self) -> Any:
        return "combine", self._combiner

    def create(self, spill_directory: str) -> Any:
        return self._combiner.create_accumulator()

    def add(self, accumulator: Any, values: Sequence[np.ndarray]) -> Any:
        return self._combiner.add_input(accumulator, tuple(values))

    def merge(self, accumulators: Iterable[Any]) -> Any:
        return self._combiner.merge_accumulators(list(accumulators))

    def serialize(self, accumulator: Any) -> bytes:
        return _encode(self._combiner, accumulator)

    def deserialize(self, data: bytes, spill_directory: str) -> Any:
        return _decode(self._combiner, data)


class CombinePerKeyAccumulation(Accumulation):
    """Folds the rows of each key, the first tensor, into an accumulator of its own."""

    def __init__(self, label: str, keys: Sequence[str], combiner: Any) -> None:
        super().__init__(label, keys)
        self._combiner = combiner

    def arithmetic(self) -> Any:
        return "combine per key", self._combiner

    def create(self, spill_directory: str) -> dict[bytes, Any]:
        return {}

    def add(self, accumulator: dict[bytes, Any], values: Sequence[np.ndarray]) -> Any:
        keys, *arguments = values
        for argument in arguments:
            if argument.shape[:1] != keys.shape:
                raise ValueError(
                    f"{self.label} got {len(keys)} keys and values of shape {argument.shape}: "
                    "expected a value, or a row of values, for each key."
                )
        for position, key in enumerate(keys.tolist()):
            before = accumulator.get(key)
            if before is None:
                before = self._combiner.create_accumulator()
            row = [argument[position] for argument in arguments]
            accumulator[key] = self._combiner.add_input(before, row)
        return accumulator

    def merge(self, accumulators: Iterable[dict[bytes, Any]]) -> dict[bytes, Any]:
        by_key: dict[bytes, list[Any]] = {}
        for accumulator in accumulators:
            for key, value in accumulator.items():
                by_key.setdefault(key, []).append(value)
        return {
            key: values[0] if len(values) == 1 else self._combiner.merge_accumulators(values)
            for key, values in by_key.items()
        }

    def serialize(self, accumulator: dict[bytes, Any]) -> bytes:
        blobs = []
        for key, value in accumulator.items():
            blobs += [key, _encode(self._combiner, value)]
        return pack(None, blobs)

    def deserialize(self, data: bytes, spill_directory: str) -> dict[bytes, Any]:
        _, blobs = unpack(data)
        return {
            key: _decode(self._combiner, value)
            for key, value in zip(blobs[::2], blobs[1::2], strict=True)
        }


class VocabularyAccumulation(Accumulation):
    """Counts or weighs the different values of a tensor."""

    def __init__(self, label: str, keys: Sequence[str], kind: VocabularyKind) -> None:
        super().__init__(label, keys)
        self._kind = kind

    def arithmetic(self) -> Any:
        return "vocabulary", self._kind.ordering, self._kind.dtype

    def create(self, spill_directory: str) -> VocabularyCounts:
        return VocabularyCounts(self._kind, spill_directory)

    def add(self, accumulator: VocabularyCounts, values: Sequence[np.ndarray]) -> VocabularyCounts:
        accumulator.add(values)
        return accumulator

    def merge(self, accumulators: Iterable[VocabularyCounts]) -> VocabularyCounts:
        first, *others = accumulators
        for other in others:
            first.merge(other)
        return first

    def serialize(self, accumulator: VocabularyCounts) -> bytes:
        return accumulator.serialize()

    def deserialize(self, data: bytes, spill_directory: str) -> VocabularyCounts:
        return VocabularyCounts.deserialize(data, self._kind, spill_directory)

    def to_cache(self, accumulator: VocabularyCounts) -> bytes:
        return accumulator.serialize(inline=True)


def _encode(combiner: Any, accumulator: Any) -> bytes:
    """A combiner's accumulator as bytes: arrays, a sketch, or what the combiner's coder makes.

    Arrays keep their types, which tf.Transform's JSON does not, so that it makes no difference
    where shards end. Nor has every combiner a coder.
    """
    accumulator = combiner.compact(accumulator)
    if isinstance(accumulator, QuantilesSketch):
        return pack(_SKETCH, [bytes(accumulator.__getstate__())])
    if isinstance(accumulator, (list, tuple)):
        arrays = [np.asarray(part) for part in accumulator]
        if not any(array.dtype.hasobject for array in arrays):
            header = [[array.dtype.str, array.shape] for array in arrays]
            return pack(header, [array.tobytes() for array in arrays])
    return pack(None, [_coder(combiner).encode_cache(accumulator)])


def _decode(combiner: Any, data: bytes) -> Any:
    """The inverse of `_encode`; what was a named tuple is a list, which combiners take too."""
    header, blobs = unpack(data)
    if header is None:
        return _coder(combiner).decode_cache(blobs[0])
    if header == _SKETCH:
        sketch = QuantilesSketch.__new__(QuantilesSketch)
        sketch.__setstate__(blobs[0])
        return sketch
    return [
        np.frombuffer(blob, dtype).reshape(shape)
        for (dtype, shape), blob in zip(header, blobs, strict=True)
    ]


def _coder(combiner: Any) -> Any:
    """The coder of a combiner's accumulators, unless it pickles.

    Accumulators come from the analyzer cache and from other machines, by way of places where others
    may write: whoever unpickles them does what is written there.
    """
    coder = combiner.accumulator_coder
    is_own = not type(coder).__module__.startswith("tensorflow_transform.")
    if isinstance(coder, analyzer_nodes.JsonNumpyCacheCoder) or (is_own and coder is not None):
        return coder
    raise TypeError(
        f"An accumulator of {type(combiner).__name__} is not made of arrays, and its coder is "
        f"{type(coder).__name__}: expected one that does not pickle, as JsonNumpyCacheCoder."
    )


def make_accumulation(operation: Any, keys: Sequence[str]) -> Accumulation | None:
    """The accumulation of a node that reads tensors; None if the node is Beam's to run."""
    if isinstance(operation, analyzer_nodes.CacheableCombineAccumulate):
        return CombineAccumulation(operation.label, keys, repeatable(operation.combiner))
    if isinstance(operation, analyzer_nodes.CacheableCombinePerKeyAccumulate):
        return CombinePerKeyAccumulation(operation.label, keys, operation.combiner)
    if isinstance(operation, analyzer_nodes.VocabularyAccumulate):
        kind = VocabularyKind(operation.vocab_ordering_type, operation.input_dtype)
        if kind.is_known:
            return VocabularyAccumulation(operation.label, keys, kind)
    if isinstance(operation, analyzer_nodes.PTransform):
        return None
    raise ValueError(
        f"tf.Transform's graph has a node of an unknown kind, {type(operation).__name__} "
        f"({operation.label}). Trainwright knows those of tensorflow-transform 1.21."
    )


def to_text(accumulations: Sequence[Accumulation]) -> str:
    """Accumulations for another process of this run, to which they go over a pipe: combiners of
    tf.Transform are objects with NumPy functions in them, so this is a pickle."""
    return base64.b64encode(cloudpickle.dumps(list(accumulations))).decode()


def from_text(text: str) -> list[Accumulation]:
    """The inverse of `to_text`."""
    accumulations: list[Accumulation] = cloudpickle.loads(base64.b64decode(text))
    return accumulations
