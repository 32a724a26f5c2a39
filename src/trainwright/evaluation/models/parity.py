"""Parity: does a rewritten model say the same as its source, about the same examples.

Both are asked about real examples, output by output. What is allowed depends on how the model was
rewritten: a quantized one may differ more.
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from trainwright.evaluation.batches.features import FeatureColumn, FeatureReader, feature_names
from trainwright.evaluation.models.evaluated_model import EvaluatedModel, ModelSource
from trainwright.proto.tfma import config_pb2

# The file of a comparison in the artifact of a Rewriter's report.
PARITY_FILE = "parity.json"

# How often a model is asked about one example, to see how long it takes.
_TIMED_CALLS = 20
# Below this a value counts as this when a difference is related to it.
_SMALLEST_VALUE = 1e-6


@dataclass(frozen=True, kw_only=True)
class Tolerance:
    """What a rewritten model may differ by.

    Args:
        difference: The largest difference of an output, in parts of its largest value or of 1,
            whichever is more.
        agreement: In how many examples, as a fraction, the largest of several values (the class)
            must be the same, or a string equal.
    """

    difference: float
    agreement: float

    def __post_init__(self) -> None:
        for name in ("difference", "agreement"):
            value = getattr(self, name)
            if not isinstance(value, (int, float)) or isinstance(value, bool) or not value >= 0:
                raise ValueError(f"The {name} of a tolerance is {value!r}: expected a number >= 0.")
        if self.agreement > 1:
            raise ValueError(
                f"The agreement of a tolerance is {self.agreement!r}: expected a fraction between "
                "0 and 1."
            )


# By how the numbers of a model were quantized.
DEFAULT_TOLERANCES = {
    "none": Tolerance(difference=1e-4, agreement=0.999),
    "float16": Tolerance(difference=0.01, agreement=0.99),
    "dynamic_range": Tolerance(difference=0.1, agreement=0.97),
    "full_integer": Tolerance(difference=0.2, agreement=0.95),
}


@dataclass(frozen=True, kw_only=True)
class OutputParity:
    """How one output of two models compares.

    Args:
        name: Of the source's output.
        largest_absolute: The largest difference; 0 for strings.
        largest_relative: The largest difference in parts of the source's value.
        largest_value: The largest absolute value of the source.
        agreement: In which fraction of the examples the largest value is at the same place, or the
            string is the same; None for an output of one number.
    """

    name: str
    largest_absolute: float
    largest_relative: float
    largest_value: float
    agreement: float | None

    def problem(self, tolerance: Tolerance) -> str | None:
        """What is beyond the tolerance, in words; None if nothing is."""
        allowed = tolerance.difference * max(1.0, self.largest_value)
        if not self.largest_absolute <= allowed:  # NaN is never within
            return (
                f"output {self.name!r} differs by up to {self.largest_absolute:.3g}, and "
                f"{allowed:.3g} is allowed"
            )
        if self.agreement is not None and self.agreement < tolerance.agreement:
            return (
                f"output {self.name!r} names the same class in {self.agreement:.1%} of the "
                f"examples, and {tolerance.agreement:.1%} are asked for"
            )
        return None


@dataclass(frozen=True, kw_only=True)
class ModelFacts:
    """What a model costs.

    Args:
        path: Where it is.
        size: The bytes of its files.
        milliseconds: For one example, the median of several calls.
    """

    path: str
    size: int
    milliseconds: float


@dataclass(frozen=True, kw_only=True)
class ParityReport:
    """What came of the comparison.

    Args:
        source: The model that was rewritten.
        rewritten: What became of it.
        examples: How many were asked about.
        outputs: Each output.
        tolerance: What was allowed.
    """

    source: ModelFacts
    rewritten: ModelFacts
    examples: int
    outputs: Sequence[OutputParity]
    tolerance: Tolerance

    @property
    def problems(self) -> list[str]:
        """What is beyond the tolerance, in words."""
        found = (output.problem(self.tolerance) for output in self.outputs)
        return [problem for problem in found if problem is not None]

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "problems": self.problems}

    @classmethod
    def from_json(cls, written: Mapping[str, Any]) -> ParityReport:
        return cls(
            source=ModelFacts(**written["source"]),
            rewritten=ModelFacts(**written["rewritten"]),
            examples=written["examples"],
            outputs=[OutputParity(**output) for output in written["outputs"]],
            tolerance=Tolerance(**written["tolerance"]),
        )


def compare_models(
    source: ModelSource,
    rewritten: ModelSource,
    records: Sequence[bytes],
    tolerance: Tolerance,
    *,
    signature_name: str = "",
) -> ParityReport:
    """Asks both models about the examples.

    Args:
        source: The model that was rewritten.
        rewritten: What became of it.
        records: Serialized tf.Examples.
        tolerance: What may differ.
        signature_name: Of the source; its default if empty.

    Raises:
        ValueError: if there are no examples, or the models do not have the same outputs.
    """
    if not records:
        raise ValueError("There are no examples to compare the models with: expected at least one.")
    first = source.load(config_pb2.ModelSpec(signature_name=signature_name))
    second = rewritten.load(config_pb2.ModelSpec())
    before = first.predict(*_inputs(first, records))
    after = second.predict(*_inputs(second, records))
    return ParityReport(
        source=_facts(source.path, first, records[:1]),
        rewritten=_facts(rewritten.path, second, records[:1]),
        examples=len(records),
        outputs=[
            _compare(name, before[name], found) for name, found in _match(before, after).items()
        ],
        tolerance=tolerance,
    )


def _inputs(
    model: EvaluatedModel, records: Sequence[bytes]
) -> tuple[Any, dict[str, FeatureColumn]]:
    """What a model is asked with: the examples as a tensor, and the features that it needs."""
    import tensorflow as tf

    serialized = tf.constant(list(records), tf.string)
    names = set(feature_names(list(records)))
    needed = model.features_needed(names)
    # If some are missing, the error lists what there is.
    reader = FeatureReader(needed if needed <= names else needed | names)
    return serialized, reader.read(records, serialized)


def _facts(path: str, model: EvaluatedModel, record: Sequence[bytes]) -> ModelFacts:
    serialized, columns = _inputs(model, record)
    seconds = []
    for _ in range(_TIMED_CALLS + 1):
        began = time.perf_counter()
        model.predict(serialized, columns)
        seconds.append(time.perf_counter() - began)
    # The first call may compile something.
    return ModelFacts(
        path=path, size=_size(path), milliseconds=1000 * statistics.median(seconds[1:])
    )


def _size(path: str) -> int:
    if os.path.isfile(path):
        return os.path.getsize(path)
    return sum(
        os.path.getsize(os.path.join(directory, name))
        for directory, _, names in os.walk(path)
        for name in names
    )


def _match(
    before: Mapping[str, npt.NDArray[Any]], after: Mapping[str, npt.NDArray[Any]]
) -> dict[str, npt.NDArray[Any]]:
    """The outputs of the rewritten model by the names of the source's; converters may rename."""
    if set(before) <= set(after):
        return {name: after[name] for name in before}
    if len(before) == len(after) == 1:
        (name,), (found,) = before, after.values()
        return {name: found}
    raise ValueError(
        f"The rewritten model returns {', '.join(sorted(after))}, and its source "
        f"{', '.join(sorted(before))}: they cannot be compared. Convert the signature that the "
        "source was asked by."
    )


def _compare(name: str, before: npt.NDArray[Any], after: npt.NDArray[Any]) -> OutputParity:
    if before.shape != after.shape and before.size == after.size:
        after = after.reshape(before.shape)
    if before.shape != after.shape:
        raise ValueError(
            f"Output {name!r} of the rewritten model has the shape {after.shape}, and that of its "
            f"source {before.shape}."
        )
    if before.dtype.kind not in "biuf":
        same = np.mean([one == other for one, other in zip(before.flat, after.flat, strict=True)])
        return OutputParity(
            name=name,
            largest_absolute=0.0,
            largest_relative=0.0,
            largest_value=0.0,
            agreement=float(same),
        )
    first, second = before.astype(np.float64), after.astype(np.float64)
    differences = np.abs(first - second)
    return OutputParity(
        name=name,
        largest_absolute=float(np.max(differences)),
        largest_relative=float(np.max(differences / np.maximum(np.abs(first), _SMALLEST_VALUE))),
        largest_value=float(np.max(np.abs(first))),
        agreement=_same_class(first, second),
    )


def _same_class(first: npt.NDArray[Any], second: npt.NDArray[Any]) -> float | None:
    if first.ndim < 2 or first.shape[-1] < 2:
        return None
    return float(np.mean(np.argmax(first, axis=-1) == np.argmax(second, axis=-1)))
