"""Features of serialized tf.Examples, a column each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from trainwright._errors import TrainwrightError
from trainwright.data.example_messages import example_class
from trainwright.evaluation.computation import Integers

if TYPE_CHECKING:
    import tensorflow as tf


@dataclass(frozen=True)
class FeatureColumn:
    """The values of one feature: those of example i are `values[row_splits[i]:row_splits[i + 1]]`.

    Texts are bytes.
    """

    values: npt.NDArray[Any]
    row_splits: Integers

    @property
    def lengths(self) -> Integers:
        return np.diff(self.row_splits)

    @property
    def is_empty(self) -> bool:
        return len(self.values) == 0

    def to_dense(self) -> npt.NDArray[Any] | None:
        """A row for each example; None if they differ in length. Rows of one value are that."""
        lengths = self.lengths
        if not len(lengths) or lengths.min() != lengths.max():
            return None
        return squeeze_rows(self.values.reshape(len(lengths), -1))

    @classmethod
    def from_tensor(cls, tensor: Any) -> FeatureColumn:
        """From what a function of a model returned: dense, sparse or ragged."""
        import tensorflow as tf

        if isinstance(tensor, tf.SparseTensor):
            tensor = tf.RaggedTensor.from_sparse(tensor)
        if isinstance(tensor, tf.RaggedTensor):
            tensor = tensor.merge_dims(1, -1) if tensor.shape.rank > 2 else tensor
            return cls(tensor.flat_values.numpy(), tensor.row_splits.numpy())
        values = np.asarray(tensor)
        width = int(np.prod(values.shape[1:], dtype=np.int64))
        splits = np.arange(len(values) + 1, dtype=np.int64) * width
        return cls(values.reshape(-1), splits)


def squeeze_rows(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Rows of one value as plain values: (n, 1) becomes (n,)."""
    while values.ndim > 1 and values.shape[-1] == 1:
        values = values[..., 0]
    return values


# In this many examples of a batch the types of features are looked for one by one.
_LOOKED_AT = 100


class FeatureTypeChangedError(TrainwrightError, ValueError):
    """A feature has another type than it had in earlier examples."""


class FeatureReader:
    """Reads some features of examples; what type they have is found out from the examples.

    A feature that no example has is missing in the result.

    Args:
        names: The features to read.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._unknown = set(names)
        self._types: dict[str, Any] = {}

    def read(self, records: Sequence[bytes], serialized: tf.Tensor) -> dict[str, FeatureColumn]:
        """The columns of a batch of serialized tf.Examples, which are given in both forms."""
        self._look_at(records[:_LOOKED_AT])
        for name in sorted(self._unknown):
            dtype = _find_type(serialized, name)
            if dtype is not None:
                self._types[name] = dtype
                self._unknown.discard(name)
        return _parse(serialized, self._types) if self._types else {}

    def _look_at(self, records: Sequence[bytes]) -> None:
        """Finds the types of features that the first examples have."""
        import tensorflow as tf

        types = {"int64_list": tf.int64, "float_list": tf.float32, "bytes_list": tf.string}
        for record in records:
            if not self._unknown:
                return
            features = example_class().FromString(record).features.feature
            for name in list(self._unknown.intersection(features)):
                kind = features[name].WhichOneof("kind")
                if kind and getattr(features[name], kind).value:
                    self._types[name] = types[kind]
                    self._unknown.discard(name)


def _find_type(serialized: tf.Tensor, name: str) -> Any:
    """The type of a feature; None if no example of the batch has it."""
    import tensorflow as tf

    for dtype in (tf.int64, tf.float32, tf.string):
        try:
            column = _parse(serialized, {name: dtype})[name]
        except FeatureTypeChangedError:
            continue
        return None if column.is_empty else dtype
    raise FeatureTypeChangedError(
        f"Feature {name!r} has different types in different examples: expected one of int64, float "
        "and bytes in all of them. Convert it where the examples are made."
    )


def _parse(serialized: tf.Tensor, types: dict[str, Any]) -> dict[str, FeatureColumn]:
    import tensorflow as tf

    spec = {
        name: tf.io.RaggedFeature(dtype, row_splits_dtype=tf.int64) for name, dtype in types.items()
    }
    try:
        parsed = tf.io.parse_example(serialized, spec)
    except tf.errors.InvalidArgumentError as error:
        wanted = ", ".join(f"{name} as {dtype.name}" for name, dtype in types.items())
        raise FeatureTypeChangedError(f"Cannot read {wanted}: {error.message}") from error
    return {
        name: FeatureColumn(tensor.flat_values.numpy(), tensor.row_splits.numpy())
        for name, tensor in parsed.items()
    }


def feature_names(records: Sequence[bytes]) -> list[str]:
    """The features that examples have; of many examples, those of the first."""
    examples = map(example_class().FromString, records[:_LOOKED_AT])
    return sorted({name for example in examples for name in example.features.feature})


def expand(lengths: Sequence[int] | Integers, starts: Integers) -> tuple[Integers, Integers]:
    """The ranges that begin at `starts`: of each element its range's number and its position.

    >>> owner, position = expand(np.array([2, 0, 1]), np.array([5, 0, 9]))
    >>> owner.tolist(), position.tolist()
    ([0, 0, 2], [5, 6, 9])
    """
    counts = np.asarray(lengths, dtype=np.int64)
    owner = np.repeat(np.arange(len(counts)), counts)
    first = np.cumsum(counts) - counts
    position = np.arange(len(owner)) - first[owner] + starts[owner]
    return owner, position
