"""Features of serialized tf.Examples, a column each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from trainwright.evaluation.computation import Integers

if TYPE_CHECKING:
    import tensorflow as tf

    from trainwright.data.example_reading.untyped_features import UntypedFeatures


@dataclass(frozen=True)
class FeatureColumn:
    """The values of one feature: those of example i are `values[row_splits[i]:row_splits[i + 1]]`.

    Strings are bytes.
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


class FeatureReader:
    """Reads some features of examples; what type they have is found out from the examples.

    A feature that no example has is missing in the result.

    Args:
        names: The features to read.
        features: Of the examples' payload format.
    """

    def __init__(self, names: Iterable[str], features: UntypedFeatures) -> None:
        self._unknown = set(names)
        self._features = features
        self._types: dict[str, Any] = {}

    def read(self, records: Sequence[bytes], serialized: tf.Tensor) -> dict[str, FeatureColumn]:
        """The columns of a batch of serialized examples, which are given in both forms."""
        if self._unknown:
            found = self._features.find_types(records, serialized, self._unknown)
            self._types.update(found)
            self._unknown -= found.keys()
        if not self._types:
            return {}
        parsed = self._features.parse(serialized, self._types)
        return {name: FeatureColumn.from_tensor(tensor) for name, tensor in parsed.items()}


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
