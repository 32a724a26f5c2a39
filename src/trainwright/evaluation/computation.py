"""Computation: what of each example is added up, slice by slice.

Every metric is a function of sums over examples: of one number for each example, as a mean is, or
of numbers sorted into buckets, as a histogram is. So evaluating is adding, which may be done in
any number of processes, and a bootstrap replicate is the same sum with each example counted as
often as it was drawn.
"""

from __future__ import annotations

import abc
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeVar

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

_ValueT = TypeVar("_ValueT")

# A computation without buckets puts everything into this one.
ONLY_BUCKET = 0


@dataclass
class ModelBatch:
    """What one output of one model said about a batch of examples, beside the truth.

    Args:
        labels: One number for each example, or a row of them; None where there is no label.
        predictions: One number for each example, or one for each class.
        weights: One for each example; None where the model spec names no weight.
        class_names: The names of the classes, where the model says them.
        records: The serialized examples themselves.
    """

    labels: npt.NDArray[np.generic] | None
    predictions: npt.NDArray[np.generic] | None
    weights: Floats | None
    size: int
    class_names: tuple[str, ...] | None = None
    records: Sequence[bytes] | None = None
    _remembered: dict[Hashable, object] = field(default_factory=dict, repr=False)

    def take(self, rows: Integers) -> ModelBatch:
        """The examples at these rows; one that is named twice counts twice."""

        def pick(values: npt.NDArray[Any] | None) -> Any:
            return None if values is None else values[rows]

        return ModelBatch(
            labels=pick(self.labels),
            predictions=pick(self.predictions),
            weights=pick(self.weights),
            size=len(rows),
            class_names=self.class_names,
            records=None if self.records is None else [self.records[row] for row in rows],
        )

    def remember(self, key: Hashable, compute: Callable[[], _ValueT]) -> _ValueT:
        """What several computations need of this batch is computed once."""
        if key not in self._remembered:
            self._remembered[key] = compute()
        return self._remembered[key]  # type: ignore[return-value]


@dataclass(frozen=True)
class Entries:
    """What a batch adds: a row of numbers, each belonging to an example and to a bucket.

    Args:
        values: Of shape (entries, width).
        rows: The example of each entry; None if entry i belongs to example i.
        buckets: The bucket of each entry, not negative; None if there is only one.
    """

    values: Floats
    rows: Integers | None = None
    buckets: Integers | None = None


@dataclass(frozen=True)
class Sums:
    """What a computation has added up for one slice: `values[i]` is the sum of `buckets[i]`.

    Buckets rise; one that nothing was added to is missing.
    """

    buckets: Integers
    values: Floats

    @property
    def total(self) -> Floats:
        """The sums over all buckets, one for each number of the width."""
        total: Floats = self.values.sum(axis=0)
        return total


class Computation(abc.ABC):
    """What is added up of the batches of one model. Equal computations are done once.

    Subclasses are frozen dataclasses, so that they are equal and hash by their arguments.

    Args:
        model_name: Whose batches it reads, as `ModelSpec.name` says; "" for the only model.
        output_name: Which output of the model; "" for the only one.
    """

    model_name: str
    output_name: str

    # Whether it looks at the serialized examples alone: then no prediction has to be found.
    READS_RECORDS_ONLY: ClassVar[bool] = False

    @property
    @abc.abstractmethod
    def width(self) -> int:
        """How many numbers are added up for each slice and bucket."""

    @property
    def bucket_count(self) -> int:
        """Buckets are below this."""
        return 1


class EntryComputation(Computation):
    """What can be said of each example by itself, as nearly everything can."""

    @abc.abstractmethod
    def entries(self, batch: ModelBatch) -> Entries:
        """What the batch adds, with each example counted once."""


class StateComputation(Computation):
    """What must see the examples of a slice together, as metrics of a user's own may."""

    @abc.abstractmethod
    def state(self, batch: ModelBatch) -> Floats:
        """What these examples, all of one slice, add: `width` numbers."""
