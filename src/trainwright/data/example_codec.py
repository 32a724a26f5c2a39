"""Arrow record batches to serialized tf.Examples, a column at a time.

A tf.Example is a map from feature name to a list of values, and its wire format is made of
length-prefixed pieces. The bytes of a map entry are a header that depends only on the feature's
name, its kind and the length of what follows, and the values themselves. So each column becomes two
Arrow arrays, headers (looked up by length) and values, and one Arrow kernel joins all of them row
by row: no Python code runs per row. A batch of few rows, as wide tables have them, is joined by
Python instead, after the values of all columns of a type were encoded at once.

The result is byte for byte protobuf's deterministic serialization, which is what the assignment of
rows to splits is computed from.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute

from trainwright.data.arrow_arrays import (
    FEW_ROWS,
    binary_array,
    binary_array_from_lengths,
    concatenate,
    cut,
    from_numpy,
    to_numpy,
    valid_cells,
)

# The kernels are registered at run time, so a type checker cannot know them.
pc: Any = pyarrow.compute

# Wire tags: field number << 3 | 2 (length-delimited). Every message in a tf.Example keeps its only
# content in field 1; a Feature chooses the kind of its list by the field number.
_FIELD_1 = b"\x0a"
_FIELD_2 = b"\x12"
_LIST_TAGS = {pa.binary(): b"\x0a", pa.float32(): b"\x12", pa.int64(): b"\x1a"}

_NO_VALUE = -1


def encode_examples(batch: pa.RecordBatch, *, kind_without_values: bool = True) -> pa.Array[Any]:
    """Serializes each row of `batch` as a tf.Example, deterministically.

    Columns are int64, float32 or binary, or lists of these without nulls in them. A column of
    Arrow's null type becomes a Feature without a kind. The encoded batch must stay under 2 GiB, the
    limit of an Arrow binary array.

    Args:
      batch: the rows.
      kind_without_values: whether a null cell or an empty list becomes an empty list of the
        column's kind, or else a Feature without a kind.
    """
    if 0 < len(batch) < FEW_ROWS:
        return _encode_few_examples(batch, kind_without_values)
    pieces = []
    for name in sorted(batch.schema.names, key=_map_order):
        header = _map_entry_header(name)
        pieces += _feature_pieces(batch.column(name), header, kind_without_values)
    row_lengths = np.zeros(len(batch), np.int64)
    for piece in pieces:
        row_lengths += np.maximum(_lengths(piece), 0)
    outer_headers = _look_up(from_numpy(row_lengths), lambda n: _FIELD_1 + encode_varint(n))
    return _join([outer_headers, *pieces])


def encode_features(column: pa.Array[Any]) -> pa.Array[Any]:
    """Serializes each cell of `column` as a tf.train.Feature, without its name."""
    return _join(
        _feature_pieces(column, lambda feature_header, _: feature_header, kind_without_values=True)
    )


def _encode_few_examples(batch: pa.RecordBatch, kind_without_values: bool) -> pa.Array[Any]:
    columns_of_type = defaultdict(list)
    for name, column in zip(batch.schema.names, batch.columns, strict=True):
        columns_of_type[column.type].append((name, column))
    entries: dict[str, list[bytes]] = {}
    for data_type, named in columns_of_type.items():
        cells = concatenate([column for _, column in named])
        for (name, _), values in zip(named, cut(_wire_values(cells), len(batch)), strict=True):
            header = _feature_header(data_type, _map_entry_header(name), kind_without_values)
            entries[name] = [
                header(_NO_VALUE) if value is None else header(len(value)) + value
                for value in values.to_pylist()
            ]
    in_order = [entries[name] for name in sorted(entries, key=_map_order)]
    examples = [b"".join(row) for row in zip(*in_order, strict=True)]
    return binary_array([_FIELD_1 + encode_varint(len(content)) + content for content in examples])


def _map_order(name: str) -> bytes:
    """Sorts names as protobuf's deterministic serialization does since its version 4.

    By their bytes, but with the longer name first where one is the start of the other: as if a
    name ended with something greater than any byte. No byte of UTF-8 is as great as this one.
    """
    return name.encode() + b"\xff"


def _map_entry_header(name: str) -> Callable[[bytes, int], bytes]:
    """What makes a map entry of a Feature: its name and the lengths, in front of its own header."""
    encoded = name.encode()
    key = _FIELD_1 + encode_varint(len(encoded)) + encoded

    def header(feature_header: bytes, value_length: int) -> bytes:
        feature_length = len(feature_header) + value_length
        start = key + _FIELD_2 + encode_varint(feature_length) + feature_header
        return _FIELD_1 + encode_varint(len(start) + value_length) + start

    return header


def _feature_pieces(
    column: pa.Array[Any],
    complete_header: Callable[[bytes, int], bytes],
    kind_without_values: bool,
) -> list[pa.Array[Any]]:
    """Headers and values of a column of Features.

    `complete_header` puts in front of a Feature's own header what the context needs; it gets that
    header and the length of the value which follows.
    """
    values = _wire_values(column)
    header = _feature_header(column.type, complete_header, kind_without_values)
    return [_look_up(from_numpy(_lengths(values)), header), values]


def _feature_header(
    data_type: Any, complete_header: Callable[[bytes, int], bytes], kind_without_values: bool
) -> Callable[[int], bytes]:
    """What stands in front of the value of a Feature, by the value's length."""
    if pa.types.is_null(data_type):
        return lambda _: complete_header(b"", 0)
    is_list = pa.types.is_list(data_type)
    value_type = data_type.value_type if is_list else data_type
    list_tag = _LIST_TAGS[value_type]
    # Numbers are packed: all of a list's are one piece. Texts come one by one, tags and all.
    has_value_header = not (is_list and pa.types.is_binary(value_type))

    def header(value_length: int) -> bytes:
        if value_length == _NO_VALUE:
            return complete_header(list_tag + b"\x00" if kind_without_values else b"", 0)
        value_header = _FIELD_1 + encode_varint(value_length) if has_value_header else b""
        list_length = len(value_header) + value_length
        return complete_header(list_tag + encode_varint(list_length) + value_header, value_length)

    return header


def _wire_values(column: pa.Array[Any]) -> pa.Array[Any]:
    """Each cell as it appears on the wire, without a header; null where there is no value."""
    if pa.types.is_null(column.type):
        return pa.nulls(len(column), pa.binary())
    is_list = pa.types.is_list(column.type)
    if (column.type.value_type if is_list else column.type) not in _LIST_TAGS:
        raise TypeError(
            f"Cannot encode a column of type {column.type}: expected int64, float32 or binary, or "
            "lists of these."
        )
    return _list_bytes(column) if is_list else _value_bytes(column)


def _lengths(values: pa.Array[Any]) -> npt.NDArray[np.int32]:
    """The length of each value, _NO_VALUE where it is null."""
    lengths = to_numpy(pc.binary_length(values))
    return np.where(valid_cells(values), lengths, np.int32(_NO_VALUE))


def _value_bytes(column: pa.Array[Any]) -> pa.Array[Any]:
    """Each cell's value as it appears on the wire; null where the cell is null."""
    if pa.types.is_binary(column.type):
        return column
    is_valid = valid_cells(column)
    encoded, lengths = _number_bytes(column, is_valid)
    return binary_array_from_lengths(encoded, lengths, is_valid)


def _list_bytes(column: Any) -> pa.Array[Any]:
    """Each list's values as they appear on the wire; null where there are none."""
    counts = to_numpy(pc.fill_null(pc.list_value_length(column), 0))
    values = column.flatten()
    if pa.types.is_binary(values.type):
        tagged: Any = _join(
            [_look_up(from_numpy(_lengths(values)), lambda n: _FIELD_1 + encode_varint(n)), values]
        )
        encoded = b"" if not len(tagged) else tagged.buffers()[2].to_pybytes()
        lengths = _lengths(tagged).astype(np.int64)
    else:
        encoded, lengths = _number_bytes(values, np.ones(len(values), np.bool_))
    ends_of_values = np.concatenate([[0], np.cumsum(lengths)])
    ends_of_lists = np.concatenate([[0], np.cumsum(counts)])
    return binary_array_from_lengths(encoded, np.diff(ends_of_values[ends_of_lists]), counts > 0)


def _number_bytes(
    numbers: pa.Array[Any], is_valid: npt.NDArray[np.bool_]
) -> tuple[bytes, npt.NDArray[np.int64]]:
    """The concatenated numbers as they appear on the wire, and the length of each."""
    values = to_numpy(numbers)
    if pa.types.is_float32(numbers.type):
        return values.astype("<f4", copy=False)[is_valid].tobytes(), np.where(is_valid, 4, 0)
    return _varints(values, is_valid)


def _varints(
    numbers: npt.NDArray[np.int64], is_valid: npt.NDArray[np.bool_]
) -> tuple[bytes, npt.NDArray[np.int64]]:
    """The concatenated varints of the valid numbers, and the length of each (0 if not valid)."""
    unsigned = numbers.view(np.uint64)
    first_of_length = np.uint64(1) << np.arange(7, 64, 7, dtype=np.uint64)
    lengths = np.where(is_valid, np.searchsorted(first_of_length, unsigned, side="right") + 1, 0)
    width = int(lengths.max(initial=1))
    position = np.arange(width)
    shifts = (7 * position).astype(np.uint64)
    groups = (unsigned[:, np.newaxis] >> shifts).astype(np.uint8) & np.uint8(0x7F)
    groups[position + 1 < lengths[:, np.newaxis]] |= np.uint8(0x80)
    return groups[position < lengths[:, np.newaxis]].tobytes(), lengths


def _look_up(lengths: pa.Array[Any], header: Callable[[int], bytes]) -> pa.Array[Any]:
    """`header(length)` per row, computed once per distinct length."""
    encoded = pc.dictionary_encode(lengths)
    distinct = binary_array([header(n) for n in encoded.dictionary.to_pylist()])
    return distinct.take(encoded.indices)


def _join(pieces: list[pa.Array[Any]]) -> pa.Array[Any]:
    separator = binary_array([b""])[0]
    joined: pa.Array[Any] = pc.binary_join_element_wise(
        *pieces, separator, null_handling="replace", null_replacement=""
    )
    return joined


def encode_varint(number: int) -> bytes:
    """A number as protobuf writes lengths: seven bits a byte, the lowest first."""
    encoded = bytearray()
    while number > 0x7F:
        encoded.append(number & 0x7F | 0x80)
        number >>= 7
    encoded.append(number)
    return bytes(encoded)
