"""Arrow columns of any type to the columns that tf.Examples can hold.

A tf.Example has int64, float and bytes features, each a flat list. So structs become features with
dotted names, and lists of lists become a flat feature and the lengths of the inner lists beside it,
from which `tf.io.RaggedFeature` puts them together again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute

from trainwright._errors import TrainwrightError
from trainwright.data.arrow_arrays import from_numpy, to_numpy, valid_cells
from trainwright.data.example_writing.bad_records import RecordError
from trainwright.data.example_writing.overflows import Overflows

# The kernels are registered at run time, so a type checker cannot know them.
pc: Any = pyarrow.compute

# The annotations of Arrow do not follow a type through its checks.
_Array = Any
_Field = Any
_Type = Any

_Offsets = npt.NDArray[np.int64]


class ColumnError(TrainwrightError, ValueError):
    """A column has a type that cannot become a feature; the message names file and column."""


@dataclass(frozen=True)
class Leaf:
    """A column, or a field within one, that becomes a feature.

    Args:
      name: the feature's name: the names of the column and of the fields in it, joined by dots.
      value_type: int64, float32 or binary; Arrow's null type if there are no values at all.
      depth: how many lists are around a value.
    """

    name: str
    value_type: _Type
    depth: int

    @property
    def column_type(self) -> _Type:
        """The type of the flat column that holds the values."""
        if self.depth == 0 or pa.types.is_null(self.value_type):
            return self.value_type
        return pa.list_(self.value_type)

    @property
    def row_lengths_names(self) -> list[str]:
        """The features with the lengths of inner lists, from the outermost on."""
        return [f"{self.name}_row_lengths_{level}" for level in range(1, self.depth)]

    def __str__(self) -> str:
        kind = "no value" if pa.types.is_null(self.value_type) else str(self.value_type)
        return "list of " * self.depth + kind


def find_leaves(schema: pa.Schema, path: str) -> dict[str, Leaf]:
    """The features that the columns of a file become, by name.

    Raises:
      ColumnError: if a type has no place in a tf.Example, or two features have the same name.
    """
    leaves: dict[str, Leaf] = {}
    column_of: dict[str, str] = {}
    for field in schema:
        for leaf in _leaves(field.name, field.type, 0, path, field):
            for name in (leaf.name, *leaf.row_lengths_names):
                if name in column_of:
                    raise ColumnError(
                        f"{path}: the columns {column_of[name]!r} and {field.name!r} both become "
                        f"the feature {name!r}. Rename one of them."
                    )
                column_of[name] = field.name
            leaves[leaf.name] = leaf
    if not leaves:
        raise ColumnError(f"{path} has no columns: expected at least one.")
    return leaves


def merge_leaves(
    first_path: str, leaves: Mapping[str, Leaf], path: str, schema: pa.Schema
) -> dict[str, Leaf]:
    """The features of several files, which must agree but for columns without any value.

    Raises:
      ColumnError: naming both files and the column, if they do not agree.
    """
    others = find_leaves(schema, path)
    missing = sorted(set(leaves) - set(others))
    added = sorted(set(others) - set(leaves))
    if missing or added:
        named, has, lacks = (missing, first_path, path) if missing else (added, path, first_path)
        raise ColumnError(
            f"{has} has the column {', '.join(map(repr, named))}, which {lacks} does not have. The "
            "files of one split must have the same columns."
        )
    return {name: _merge(first_path, leaf, path, others[name]) for name, leaf in leaves.items()}


def to_feature_columns(
    batch: pa.RecordBatch,
    leaves: Mapping[str, Leaf],
    path: str,
    first_row: int,
    overflows: Overflows,
) -> pa.RecordBatch:
    """The rows of a batch as the flat columns that `leaves` describe.

    Args:
      batch: rows of a file.
      leaves: the features of all files.
      path: the file, for errors.
      first_row: the number of the batch's first row in the file, for errors.
      overflows: takes numbers that are too large for float32 and become infinite.

    Raises:
      RecordError: if an integer is too large, or a list contains a missing value.
    """
    columns: dict[str, _Array] = {}
    for field, column in zip(batch.schema, batch.columns, strict=True):
        place = _Place(path, field.name, first_row)
        for name, offsets, values in _flatten(field.name, column, (), place):
            columns |= _columns_of_leaf(leaves[name], offsets, values, place, overflows)
    # The order of the first file, so that the rows of all files fit into one block.
    names = [name for leaf in leaves.values() for name in (leaf.name, *leaf.row_lengths_names)]
    return pa.RecordBatch.from_arrays([columns[name] for name in names], names=names)


@dataclass(frozen=True)
class _Place:
    """Where the rows that are converted come from."""

    path: str
    column: str
    first_row: int

    def row(self, position: int, offsets: tuple[_Offsets, ...]) -> int:
        """The number of the row, from 1, that a value inside of lists belongs to."""
        for ends in reversed(offsets):
            position = int(np.searchsorted(ends, position, side="right")) - 1
        return self.first_row + position + 1


def _leaves(name: str, data_type: _Type, depth: int, path: str, column: _Field) -> Iterator[Leaf]:
    if pa.types.is_dictionary(data_type):
        data_type = data_type.value_type
    if pa.types.is_struct(data_type):
        for field in data_type:
            yield from _leaves(f"{name}.{field.name}", field.type, depth, path, column)
    elif _is_list(data_type):
        yield from _leaves(name, data_type.value_type, depth + 1, path, column)
    else:
        value_type = _value_type(data_type)
        if value_type is None:
            raise ColumnError(
                f"{path}: the column {column.name!r} has the type {column.type}, and {data_type} "
                "cannot become a feature: expected numbers, booleans, text, bytes, dates, times, "
                "decimals, or lists and structs of these. Convert the column, or leave it out."
            )
        yield Leaf(name, value_type, depth)


def _is_list(data_type: _Type) -> bool:
    return bool(
        pa.types.is_list(data_type)
        or pa.types.is_large_list(data_type)
        or pa.types.is_fixed_size_list(data_type)
        or pa.types.is_list_view(data_type)
        or pa.types.is_large_list_view(data_type)
    )


def _value_type(data_type: _Type) -> _Type | None:
    types = pa.types
    if types.is_null(data_type):
        return pa.null()
    if types.is_boolean(data_type) or types.is_integer(data_type) or _is_time(data_type):
        return pa.int64()
    if types.is_floating(data_type):
        return pa.float32()
    if types.is_decimal(data_type):
        return pa.int64() if data_type.scale <= 0 else pa.float32()
    is_text = types.is_string(data_type) or types.is_large_string(data_type)
    is_bytes = types.is_binary(data_type) or types.is_large_binary(data_type)
    is_view = types.is_string_view(data_type) or types.is_binary_view(data_type)
    if is_text or is_bytes or is_view or types.is_fixed_size_binary(data_type):
        return pa.binary()
    return None


def _is_time(data_type: _Type) -> bool:
    return bool(
        pa.types.is_timestamp(data_type)
        or pa.types.is_date(data_type)
        or pa.types.is_time(data_type)
        or pa.types.is_duration(data_type)
    )


def _merge(first_path: str, first: Leaf, path: str, leaf: Leaf) -> Leaf:
    if pa.types.is_null(first.value_type):
        return leaf
    if pa.types.is_null(leaf.value_type):
        return first
    if first != leaf:
        raise ColumnError(
            f"The column {leaf.name!r} is {first} in {first_path}, but {leaf} in {path}. The files "
            "of one split must have the same columns, of the same types."
        )
    return first


def _flatten(
    name: str, array: _Array, offsets: tuple[_Offsets, ...], place: _Place
) -> Iterator[tuple[str, tuple[_Offsets, ...], _Array]]:
    """Each leaf of a column: its name, the offsets of the lists around it, and all its values."""
    if pa.types.is_dictionary(array.type):
        array = array.dictionary_decode()
    if pa.types.is_struct(array.type):
        # Unlike `field`, this makes the fields of a missing struct missing.
        for field, child in zip(array.type, array.flatten(), strict=True):
            yield from _flatten(f"{name}.{field.name}", child, offsets, place)
    elif _is_list(array.type):
        _check_nothing_missing(array, offsets, place)
        lengths = to_numpy(pc.fill_null(pc.list_value_length(array), 0))
        yield from _flatten(name, array.flatten(), (*offsets, _ends(lengths)), place)
    else:
        _check_nothing_missing(array, offsets, place)
        yield name, offsets, array


def _check_nothing_missing(array: _Array, offsets: tuple[_Offsets, ...], place: _Place) -> None:
    if offsets and array.null_count:
        row = place.row(int(np.argmin(valid_cells(array))), offsets)
        raise RecordError(
            f"{place.path}, row {row}: a list in the column {place.column!r} contains a missing "
            "value, which a tf.Example cannot say. Replace it, or make the whole list missing."
        )


def _columns_of_leaf(
    leaf: Leaf,
    offsets: tuple[_Offsets, ...],
    values: _Array,
    place: _Place,
    overflows: Overflows,
) -> dict[str, _Array]:
    rows = len(offsets[0]) - 1 if offsets else len(values)
    if pa.types.is_null(values.type):  # another file may have values, or deeper lists
        without_values = {leaf.name: pa.nulls(rows, leaf.column_type)}
        return without_values | {
            name: pa.nulls(rows, pa.list_(pa.int64())) for name in leaf.row_lengths_names
        }
    converted = _convert(values, leaf.value_type, place)
    _count_overflows(leaf.name, offsets, values, converted, place, overflows)
    if not offsets:
        return {leaf.name: converted}
    columns = {}
    ends_of_rows = offsets[0]
    for name, ends in zip(leaf.row_lengths_names, offsets[1:], strict=True):
        columns[name] = _lists(ends_of_rows, from_numpy(np.diff(ends)))
        ends_of_rows = ends[ends_of_rows]
    return {leaf.name: _lists(ends_of_rows, converted), **columns}


def _convert(values: _Array, value_type: _Type, place: _Place) -> _Array:
    try:
        if pa.types.is_int64(value_type):
            return _to_integers(values)
        if pa.types.is_float32(value_type):
            # Unchecked, so that a number too large for float32 becomes infinite, as in protobuf.
            is_decimal = pa.types.is_decimal(values.type)
            numbers = values.cast(pa.float64()) if is_decimal else values
            return numbers.cast(pa.float32(), safe=False)
        return values.cast(value_type)
    except pa.ArrowInvalid as error:
        raise RecordError(
            f"{place.path}, from row {place.first_row + 1} on: a value of the column "
            f"{place.column!r} is too large for {value_type}: {error}."
        ) from error


def _count_overflows(
    feature: str,
    offsets: tuple[_Offsets, ...],
    values: _Array,
    converted: _Array,
    place: _Place,
    overflows: Overflows,
) -> None:
    if not pa.types.is_float32(converted.type) or pa.types.is_float32(values.type):
        return
    is_infinite = pc.is_inf(converted)
    if not pc.any(is_infinite).as_py():
        return
    was_infinite = pc.is_inf(values.cast(pa.float64()))
    positions = pc.indices_nonzero(pc.and_not(is_infinite, was_infinite))
    if len(positions):
        first = positions[0].as_py()
        row = place.row(first, offsets)
        example = f"{values[first].as_py()} in {place.path}, row {row}"
        overflows.add(feature, len(positions), example)


def _to_integers(values: _Array) -> _Array:
    """Times count in their own unit, dates in days, both from 1970 on."""
    if pa.types.is_date64(values.type):
        values = values.cast(pa.date32())
    if pa.types.is_date32(values.type) or pa.types.is_time32(values.type):
        values = values.cast(pa.int32())
    return values.cast(pa.int64())


def _lists(ends: _Offsets, values: _Array) -> _Array:
    offsets: Any = from_numpy(ends.astype(np.int32))
    return pa.ListArray.from_arrays(offsets, values)


def _ends(lengths: npt.NDArray[Any]) -> _Offsets:
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths, dtype=np.int64)])
