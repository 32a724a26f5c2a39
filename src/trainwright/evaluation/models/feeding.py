"""Feeding: from the features of examples to the arrays of a model's inputs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy.typing as npt

from trainwright._suggest import did_you_mean
from trainwright.evaluation.batches.features import FeatureColumn

# A tensor of TensorFlow's graphs is an output of an operation, `x:0`.
_OUTPUT_NUMBER = re.compile(r":\d+$")
# LiteRT's name of an input where a model has no signatures.
_SIGNATURE_PREFIX = "serving_default_"


def feature_of(input_name: str, features: Iterable[str]) -> str | None:
    """The feature for an input, to whose name Keras and converters may have added something.

    >>> feature_of("serving_default_x_input:0", ["x", "y"])
    'x'
    """
    known = set(features)
    bare = _OUTPUT_NUMBER.sub("", input_name)
    for name in (input_name, bare, bare.removeprefix(_SIGNATURE_PREFIX)):
        for candidate in (name, name.removesuffix("_input")):
            if candidate in known:
                return candidate
    return None


def takes_serialized(inputs: Mapping[str, str], features: Iterable[str]) -> bool:
    """Whether a function parses records itself: its one input is a string and no feature.

    Args:
        inputs: The types of its inputs by name.
        features: The names of the records' features.

    >>> takes_serialized({"examples": "string"}, ["x"]), takes_serialized({"x": "string"}, ["x"])
    (True, False)
    """
    if len(inputs) != 1:
        return False
    ((name, dtype),) = inputs.items()
    return dtype == "string" and feature_of(name, features) is None


def find_column(input_name: str, columns: Mapping[str, FeatureColumn], asked: str) -> FeatureColumn:
    """The column for an input.

    Args:
        input_name: Of the input.
        columns: By feature.
        asked: Which function of which model, the subject of the error.

    Raises:
        ValueError: The examples have no such feature.
    """
    feature = feature_of(input_name, columns)
    if feature is None:
        raise ValueError(
            f"{asked} takes {input_name!r}, which the examples do not have"
            f"{did_you_mean(input_name, columns)} Evaluate the examples that the model was made "
            "for, or name another signature in the model spec."
        )
    return columns[feature]


def to_rows(
    input_name: str,
    column: FeatureColumn,
    shape: Sequence[int | None] | None,
    asked: str,
    advice: str,
) -> npt.NDArray[Any]:
    """A row for each example, in the shape that an input takes but for the size of the batch.

    Args:
        input_name: Of the input.
        column: The feature.
        shape: Of the input, the batch first; None for a size that is left open. None if the shape
            is unknown altogether.
        asked: Which function of which model, the subject of the error.
        advice: What to do about examples with different numbers of values, a sentence.

    Raises:
        ValueError: The values do not fit the shape.
    """
    dense = column.to_dense()
    if dense is None:
        lengths = column.lengths
        raise ValueError(
            f"{asked} takes a dense {input_name!r}, but examples have from {lengths.min()} to "
            f"{lengths.max()} values of it. {advice}"
        )
    if shape is None:
        return dense
    inner = [size or -1 for size in shape[1:]]
    try:
        return dense.reshape(len(dense), *inner)
    except ValueError as error:
        shown = ", ".join("?" if size == -1 else str(size) for size in inner)
        raise ValueError(
            f"{asked} takes {input_name!r} in the shape ({shown}) for each example, but examples "
            f"have {column.lengths[0]} values of it. Evaluate the examples that the model was made "
            "for."
        ) from error
