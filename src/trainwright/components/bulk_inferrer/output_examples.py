"""Output examples: records with what a model says of them as more features."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from trainwright.components.bulk_inferrer.bulk_model import Answer, Rows
from trainwright.components.bulk_inferrer.output_columns import OutputColumn, refuse_matrix
from trainwright.data.example_codec import encode_examples
from trainwright.data.example_merging import FeatureAddition
from trainwright.proto import example_gen_pb2


def add_columns(
    records: Sequence[bytes],
    answers: Sequence[Answer],
    columns: Sequence[OutputColumn],
    payload_format: int,
) -> Iterator[bytes]:
    """Yields each record with its columns.

    Args:
        records: tf.Examples or tf.SequenceExamples, which get them in their context.
        answers: What the model said of them.
        columns: Which of it becomes which feature.
        payload_format: Of the records.

    Raises:
        FeatureExistsError: if a record has a feature of a column's name already.
        ValueError: if an output has several dimensions, or numbers that features cannot hold.
    """
    by_signature = {answer.signature.name: answer for answer in answers}
    arrays = [to_lists(by_signature[one.signature].outputs[one.output], one) for one in columns]
    added = encode_examples(pa.RecordBatch.from_arrays(arrays, names=[c.column for c in columns]))
    is_sequence = payload_format == example_gen_pb2.FORMAT_TF_SEQUENCE_EXAMPLE
    addition = FeatureAddition([one.column for one in columns], is_sequence=is_sequence)
    features: list[Any] = added.to_pylist()
    return addition.add_all(records, features)


def to_lists(rows: Rows, column: OutputColumn) -> pa.Array[Any]:
    """The rows of an output as lists of a type that features have: int64, float32 or binary."""
    flat: npt.NDArray[Any]
    if isinstance(rows, list):
        lists = [_flatten(row, column) for row in rows]
        flat = np.concatenate(lists)
        lengths = np.array([len(row) for row in lists], np.int64)
    else:
        refused = [size for size in rows.shape[1:] if size != 1]
        if len(refused) > 1:
            refuse_matrix(column, refused)
        width = int(np.prod(rows.shape[1:], dtype=np.int64))
        flat, lengths = rows.reshape(-1), np.full(len(rows), width)
    offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    values = _to_feature_values(flat, column)
    lists_of: pa.Array[Any] = pa.ListArray.from_arrays(pa.array(offsets), values)
    return lists_of


def _flatten(row: npt.NDArray[Any], column: OutputColumn) -> npt.NDArray[Any]:
    sizes = [size for size in row.shape if size != 1]
    if len(sizes) > 1:
        refuse_matrix(column, sizes)
    return row.reshape(-1)


def _to_feature_values(flat: npt.NDArray[Any], column: OutputColumn) -> pa.Array[Any]:
    values: Mapping[str, Any] = {"i": np.int64, "u": np.int64, "b": np.int64, "f": np.float32}
    if flat.dtype == object:
        strings: pa.Array[Any] = pa.array(flat, pa.binary())
        return strings
    kind = "f" if flat.dtype.name == "bfloat16" else flat.dtype.kind
    if kind not in values:
        raise ValueError(
            f"The output column {column.column!r} is made of the output {column.output!r}, whose "
            f"values are {flat.dtype}: expected integers, floating-point numbers or strings, which "
            "features hold."
        )
    if kind == "u" and flat.size and int(flat.max()) > np.iinfo(np.int64).max:
        raise ValueError(
            f"The output column {column.column!r} is made of the output {column.output!r}, which "
            f"holds {int(flat.max())}: expected numbers of up to 63 bits, which features hold."
        )
    with np.errstate(over="ignore"):
        numbers: pa.Array[Any] = pa.array(flat.astype(values[kind]))
    return numbers
