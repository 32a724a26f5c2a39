"""TFRecord files agree with TensorFlow's, and damage is reported with its place."""

import gzip
import struct

import pytest
import tensorflow as tf
from hypothesis import given, settings
from hypothesis import strategies as st

from trainwright.data.tfrecord import (
    TFRecordError,
    open_gzip_writer,
    read_record_batches,
    read_records,
)

RECORDS = [b"first", b"", b"\x00" * 300, bytes(range(256)) * 20]


def write_gzip(path, *batches):
    with open_gzip_writer(path) as write:
        for batch in batches:
            write(batch)


def write_plain(path, records):
    with tf.io.TFRecordWriter(str(path)) as writer:
        for record in records:
            writer.write(record)


def test_tensorflow_reads_what_we_write(tmp_path):
    path = tmp_path / "records.gz"
    write_gzip(path, RECORDS[:2], [], RECORDS[2:])
    dataset = tf.data.TFRecordDataset(str(path), compression_type="GZIP")
    assert list(dataset.as_numpy_iterator()) == RECORDS


def test_tensorflow_reads_a_file_without_records(tmp_path):
    path = tmp_path / "records.gz"
    write_gzip(path)
    assert list(tf.data.TFRecordDataset(str(path), compression_type="GZIP")) == []
    assert list(read_records(path)) == []


@pytest.mark.parametrize("compression", ["", "GZIP"])
def test_we_read_what_tensorflow_writes(tmp_path, compression):
    path = str(tmp_path / "records")
    with tf.io.TFRecordWriter(path, tf.io.TFRecordOptions(compression)) as writer:
        for record in RECORDS:
            writer.write(record)
    assert list(read_records(path)) == RECORDS


@settings(deadline=None)
@given(records=st.lists(st.binary(max_size=50)))
def test_records_survive_a_round_trip(tmp_path_factory, records):
    path = tmp_path_factory.mktemp("round_trip") / "records.gz"
    write_gzip(path, records)
    assert list(read_records(path)) == records


def test_records_larger_than_a_read_survive(tmp_path):
    path = tmp_path / "records.gz"
    records = [b"a" * (3 << 20), b"b" * 10, b"c" * (1 << 20)]
    write_gzip(path, records)
    assert list(read_records(path)) == records


def test_batches_bound_memory(tmp_path):
    path = tmp_path / "records.gz"
    write_gzip(path, [b"x" * 1000] * 5000)
    batches = list(read_record_batches(path))
    assert sum(map(len, batches)) == 5000
    assert max(map(len, batches)) < 1100


def test_same_records_give_same_bytes(tmp_path):
    write_gzip(tmp_path / "one.gz", RECORDS)
    write_gzip(tmp_path / "two.gz", RECORDS)
    data = (tmp_path / "one.gz").read_bytes()
    assert data == (tmp_path / "two.gz").read_bytes()
    assert data[4:8] == b"\0\0\0\0", "the gzip header has a modification time"


def test_an_exception_leaves_a_file_that_cannot_be_taken_for_whole(tmp_path):
    path = tmp_path / "records.gz"
    with pytest.raises(TypeError), open_gzip_writer(path) as write:
        write([b"x" * 100, "not bytes"])
    with pytest.raises(TFRecordError):
        list(read_records(path))


def test_a_plain_file_may_start_like_gzip(tmp_path):
    path = tmp_path / "records"
    record = b"x" * 0x088B1F  # the length's first bytes are gzip's magic
    write_plain(path, [record])
    assert path.read_bytes().startswith(b"\x1f\x8b\x08")
    assert list(read_records(path)) == [record]


@pytest.mark.parametrize("kept", range(1, 4 + 12 + 16))
def test_truncated_plain_file(tmp_path, kept):
    path = tmp_path / "records"
    write_plain(path, [b"abc", b"defg"])
    first_record_bytes = 12 + 3 + 4
    path.write_bytes(path.read_bytes()[:kept])
    if kept == first_record_bytes:
        assert list(read_records(path)) == [b"abc"]
        return
    with pytest.raises(TFRecordError) as raised:
        list(read_records(path))
    start = 0 if kept < first_record_bytes else first_record_bytes
    assert str(path) in str(raised.value)
    assert f"starts at byte {start}:" in str(raised.value)


@pytest.mark.parametrize(
    ("changed_byte", "reason"),
    [(19, "length"), (27, "length"), (31, "data"), (35, "data")],
)
def test_damaged_record(tmp_path, changed_byte, reason):
    path = tmp_path / "records"
    write_plain(path, [b"abc", b"defg"])
    data = bytearray(path.read_bytes())
    data[changed_byte] ^= 1
    path.write_bytes(data)
    with pytest.raises(
        TFRecordError, match=f"damaged record at byte 19: the checksum of its {reason} is wrong"
    ):
        list(read_records(path))


def test_damage_inside_gzip_counts_uncompressed_bytes(tmp_path):
    path = tmp_path / "records.gz"
    write_gzip(path, [b"abc", b"defg"])
    data = bytearray(gzip.decompress(path.read_bytes()))
    data[31] ^= 1
    path.write_bytes(gzip.compress(data))
    with pytest.raises(TFRecordError, match="at byte 19"):
        list(read_records(path))


@pytest.mark.parametrize("kept", [0, 2, 10, 40, -4, -1])
def test_truncated_gzip(tmp_path, kept):
    path = tmp_path / "records.gz"
    write_gzip(path, [struct.pack("<I", number) for number in range(100)])
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(TFRecordError) as raised:
        list(read_records(path))
    assert str(path) in str(raised.value)


def test_text_is_not_a_tfrecord(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text("id,name\n1,one\n2,two\n")
    with pytest.raises(TFRecordError, match="not a TFRecord file"):
        list(read_records(path))
