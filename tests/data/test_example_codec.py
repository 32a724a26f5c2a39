"""Encoded rows are byte for byte what protobuf's deterministic serialization gives."""

import math

import pyarrow as pa
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tensorflow.core.example import example_pb2, feature_pb2

from trainwright.data.example_codec import encode_examples, encode_features

INT64 = st.integers(-(2**63), 2**63 - 1)
VALUES = {
    pa.int64(): INT64 | st.integers(-300, 300) | st.integers(0, 63).map(lambda bit: 1 << bit >> 1),
    pa.float32(): st.floats(width=32),
    pa.binary(): st.binary(max_size=300),
    pa.null(): st.none(),
}
NAMES = st.text(st.characters(codec="utf-8"), max_size=200)


def feature(value, arrow_type):
    values = [] if value is None else [value]
    if pa.types.is_list(arrow_type):
        arrow_type, values = arrow_type.value_type, value or []
    if arrow_type == pa.int64():
        return feature_pb2.Feature(int64_list={"value": values})
    if arrow_type == pa.float32():
        return feature_pb2.Feature(float_list={"value": values})
    if arrow_type == pa.binary():
        return feature_pb2.Feature(bytes_list={"value": values})
    return feature_pb2.Feature()


def serialize_by_protobuf(batch, kind_without_values=True):
    examples = []
    for row in range(batch.num_rows):
        proto = example_pb2.Example()
        for field in batch.schema:
            value = batch.column(field.name)[row].as_py()
            has_kind = kind_without_values or value not in (None, [])
            made = feature(value, field.type) if has_kind else feature_pb2.Feature()
            proto.features.feature[field.name].CopyFrom(made)
        examples.append(proto.SerializeToString(deterministic=True))
    return examples


@st.composite
def batches(draw):
    names = draw(st.lists(NAMES, min_size=1, max_size=6, unique=True))
    rows = draw(st.integers(0, 6))
    columns = []
    for _ in names:
        arrow_type = draw(st.sampled_from(list(VALUES)))
        values = VALUES[arrow_type]
        if not pa.types.is_null(arrow_type) and draw(st.booleans()):
            arrow_type, values = pa.list_(arrow_type), st.lists(values, max_size=4)
        cells = st.lists(st.none() | values, min_size=rows, max_size=rows)
        columns.append(pa.array(draw(cells), arrow_type))
    return pa.RecordBatch.from_arrays(columns, names=names)


def repeat(batch, copies):
    columns = [pa.concat_arrays([column] * copies) for column in batch.columns]
    return pa.RecordBatch.from_arrays(columns, names=batch.schema.names)


@settings(deadline=None)
@given(batch=batches())
@example(pa.RecordBatch.from_arrays([pa.nulls(2)], names=[""]))
@example(pa.RecordBatch.from_arrays([pa.array([b"x" * 70000, None, b""])], names=["n" * 20000]))
def test_equals_protobuf(batch):
    for kind_without_values in (True, False):
        expected = serialize_by_protobuf(batch, kind_without_values)
        for copies in (1, 64):  # few rows are joined in another way than many
            encoded = encode_examples(
                repeat(batch, copies), kind_without_values=kind_without_values
            )
            assert encoded.to_pylist() == expected * copies


@settings(deadline=None)
@given(batch=batches(), data=st.data())
def test_a_slice_of_a_batch_encodes_like_its_rows(batch, data):
    start = data.draw(st.integers(0, batch.num_rows))
    sliced = batch.slice(start)
    assert encode_examples(sliced).to_pylist() == serialize_by_protobuf(batch)[start:]


@settings(deadline=None)
@given(batch=batches())
def test_features_alone_equal_protobuf(batch):
    for field in batch.schema:
        column = batch.column(field.name)
        assert encode_features(column).to_pylist() == [
            feature(cell.as_py(), field.type).SerializeToString(deterministic=True)
            for cell in column
        ]


def test_names_are_sorted_by_their_bytes_and_a_longer_name_before_its_start():
    names = ["\U0001f600", "\uff5e", "b", "B", "ab", "a", "abc", "a\0", "a\x7f", "a\xff", ""]
    batch = pa.RecordBatch.from_arrays([pa.array([1])] * len(names), names=names)
    assert encode_examples(batch).to_pylist() == serialize_by_protobuf(batch)


def test_order_of_names_is_fixed():
    # The split of every row depends on it, so it must not follow a change in protobuf.
    batch = pa.RecordBatch.from_arrays([pa.nulls(1)] * 3, names=["a", "ab", "B"])
    assert encode_examples(batch)[0].as_py() == (
        b"\n\x16\n\x05\n\x01B\x12\x00\n\x06\n\x02ab\x12\x00\n\x05\n\x01a\x12\x00"
    )


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, -0.0])
def test_special_floats(value):
    batch = pa.RecordBatch.from_arrays([pa.array([value], pa.float32())], names=["x"])
    assert encode_examples(batch).to_pylist() == serialize_by_protobuf(batch)


def test_other_types_are_refused():
    batch = pa.RecordBatch.from_arrays([pa.array(["text"])], names=["x"])
    with pytest.raises(TypeError, match="type string: expected int64, float32 or binary"):
        encode_examples(batch)
