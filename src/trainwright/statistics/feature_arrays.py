"""The features of a record batch: their paths, types and weights, with those inside structs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
from tensorflow_metadata.proto.v0 import statistics_pb2

from trainwright.data.arrow_arrays import to_numpy, valid_cells

Path = tuple[str, ...]
Weights = npt.NDArray[np.float64]
# pyarrow's annotations part list arrays from arrays; which one it is, is known when it is there.
ArrowArray = Any
ArrowType = Any

INT: int = statistics_pb2.FeatureNameStatistics.INT
FLOAT: int = statistics_pb2.FeatureNameStatistics.FLOAT
STRING: int = statistics_pb2.FeatureNameStatistics.STRING
BYTES: int = statistics_pb2.FeatureNameStatistics.BYTES
STRUCT: int = statistics_pb2.FeatureNameStatistics.STRUCT


def walk_features(
    batch: pa.RecordBatch, weights: Weights | None
) -> Iterator[tuple[Path, ArrowArray, Weights | None]]:
    """Yields each feature with its weights; a struct comes before the features in it.

    The array of a feature is a list array, nested or not, a null array for a feature without any
    value, or a struct array. Weights are those of its elements.
    """
    for name, column in zip(batch.schema.names, batch.columns, strict=True):
        yield from _walk((name,), column, weights)


def _walk(
    path: Path, array: ArrowArray, weights: Weights | None
) -> Iterator[tuple[Path, ArrowArray, Weights | None]]:
    yield path, array, weights
    if not pa.types.is_struct(innermost_type(array.type)):
        return
    while is_list(array.type):
        weights = repeat_weights(weights, array)
        array = array.flatten()
    for index in range(array.type.num_fields):
        field = array.type.field(index)
        yield from _walk((*path, field.name), pc.struct_field(array, [index]), weights)


def is_list(arrow_type: ArrowType) -> bool:
    return bool(pa.types.is_list(arrow_type) or pa.types.is_large_list(arrow_type))


def innermost_type(arrow_type: ArrowType) -> ArrowType:
    while is_list(arrow_type):
        arrow_type = arrow_type.value_type
    return arrow_type


def nest_level(arrow_type: ArrowType) -> int:
    """How many lists are around a value; 1 for a column of nulls, which could be a list."""
    level = 0
    while is_list(arrow_type):
        level += 1
        arrow_type = arrow_type.value_type
    return max(level, 1)


def feature_type(path: Path, arrow_type: ArrowType) -> int | None:
    """A feature's type in statistics; None as long as no value was seen."""
    value_type = innermost_type(arrow_type)
    if pa.types.is_null(value_type):
        return None
    if pa.types.is_integer(value_type):
        return INT
    if pa.types.is_floating(value_type):
        return FLOAT
    if is_binary(value_type):
        return STRING
    if pa.types.is_struct(value_type):
        return STRUCT
    raise TypeError(
        f"Feature {format_path(path)} has the Arrow type {arrow_type}: expected lists of integers, "
        "floats or strings, or structs of them."
    )


def is_binary(arrow_type: ArrowType) -> bool:
    return bool(
        pa.types.is_binary(arrow_type)
        or pa.types.is_large_binary(arrow_type)
        or pa.types.is_string(arrow_type)
        or pa.types.is_large_string(arrow_type)
    )


def list_lengths(array: ArrowArray) -> npt.NDArray[np.int64]:
    """The length of each list of an array; a list that is missing has none, as Arrow has it."""
    if pa.types.is_struct(array.type):
        # A struct that is not a list counts as a list of one.
        return valid_cells(array).astype(np.int64)
    offsets: npt.NDArray[np.int64] = to_numpy(array.offsets).astype(np.int64)
    lengths = offsets[1:] - offsets[:-1]
    if array.null_count and lengths.sum() != len(array.flatten()):
        # A list that is missing may still have a place among the values.
        lengths[~valid_cells(array)] = 0
    return lengths


def repeat_weights(weights: Weights | None, array: ArrowArray) -> Weights | None:
    """The weights of the elements of lists: those of their lists."""
    return None if weights is None else np.repeat(weights, list_lengths(array))


def flatten(array: ArrowArray, weights: Weights | None) -> tuple[ArrowArray, Weights | None]:
    """The values of a list array, nested or not, with their weights."""
    while is_list(array.type):
        weights = repeat_weights(weights, array)
        array = array.flatten()
    return array, weights


def read_weights(batch: pa.RecordBatch, feature: str) -> Weights:
    """The weights of the examples of a batch.

    Raises:
        ValueError: unless the feature has exactly one number in each example.
    """
    index = batch.schema.get_field_index(feature)
    if index < 0:
        raise ValueError(
            f"weight_feature is {feature!r}, which some examples do not have. They have "
            f"{batch.schema.names}: expected a number in each example."
        )
    column: ArrowArray = batch.column(index)
    kind = feature_type((feature,), column.type)
    is_single = is_list(column.type) and bool((list_lengths(column) == 1).all())
    if kind not in (INT, FLOAT) or nest_level(column.type) != 1 or not is_single:
        raise ValueError(
            f"weight_feature is {feature!r}, which is {column.type} or is missing in some "
            "examples: expected exactly one number in each example."
        )
    weights: Weights = to_numpy(column.flatten()).astype(np.float64)
    return weights


def format_path(path: Path) -> str:
    """A path as errors show it.

    >>> format_path(("##SEQUENCE##", "clicks"))
    "'##SEQUENCE##.clicks'"
    """
    return repr(".".join(path))


def format_type(kind: int | None) -> str:
    """A type's name, for example `INT`."""
    return "nothing" if kind is None else statistics_pb2.FeatureNameStatistics.Type.Name(kind)
