"""Whatever bytes a TFRecord file holds: its records, or an error that names the file and a byte."""

import gzip
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trainwright.data.tfrecord import TFRecordError, open_gzip_writer, read_records
from trainwright.data.tfrecord_frames import frame, make_header

FAST = settings(deadline=None, max_examples=300)
RECORDS = st.lists(st.binary(max_size=40), max_size=8)


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return tmp_path_factory.mktemp("fuzz") / "records"


def read(path, data):
    """The records that can be read, and the error that ended them."""
    path.write_bytes(data)
    records, error = [], None
    try:
        for record in read_records(path):
            records.append(record)
    except TFRecordError as raised:
        error = raised
    if error is not None:
        assert str(path) in str(error)
        assert re.search(rf"byte {error.offset}\b", str(error))
    return records, error


def compress(data, members=1):
    """A gzip file, in as many members as are joined by `cat`."""
    step = -(-len(data) // members) or 1
    parts = [data[start : start + step] for start in range(0, len(data), step)] or [b""]
    return b"".join(map(gzip.compress, parts))


@FAST
@given(data=st.binary(max_size=300) | st.binary(max_size=100).map(lambda b: b"\x1f\x8b\x08" + b))
def test_any_bytes(path, data):
    records, error = read(path, data)
    if error is None:
        # A gzip file may be valid by chance only if it holds nothing.
        assert frame(records) == data or not records
    else:
        assert data.startswith(frame(records)) or not records


@FAST
@given(records=RECORDS, is_gzip=st.booleans(), kept=st.floats(0, 1))
def test_a_file_that_is_cut_off(path, records, is_gzip, kept):
    whole = compress(frame(records)) if is_gzip else frame(records)
    cut = whole[: int(len(whole) * kept)]
    found, error = read(path, cut)
    assert found == records[: len(found)]
    if cut == whole:
        assert error is None
        assert found == records
    elif error is None:
        # Between two records nothing tells that more should follow, except in a gzip file.
        assert cut == frame(found)


@FAST
@given(data=st.data(), records=RECORDS.filter(bool), is_gzip=st.booleans())
def test_a_file_with_bits_flipped(path, data, records, is_gzip):
    whole = bytearray(compress(frame(records)) if is_gzip else frame(records))
    for bit in data.draw(st.sets(st.integers(0, len(whole) * 8 - 1), min_size=1, max_size=4)):
        whole[bit // 8] ^= 1 << bit % 8
    found, error = read(path, bytes(whole))
    assert found == records[: len(found)]
    # Some bits of a gzip header, such as the time, mean nothing for the content.
    assert error is not None or (is_gzip and found == records)


@FAST
@given(records=RECORDS, members=st.integers(1, 4), padding=st.integers(0, 20))
def test_gzip_files_joined_and_padded(path, records, members, padding):
    found, error = read(path, compress(frame(records), members) + b"\0" * padding)
    assert error is None
    assert found == records


@pytest.mark.parametrize("wrap", [bytes, compress])
@pytest.mark.parametrize("length", [1 << 20, 1 << 40, (1 << 63) - 1, (1 << 64) - 1])
def test_a_length_beyond_the_end_takes_no_memory(path, wrap, length):
    data = frame([b"first"]) + make_header(length) + b"a little"
    records, error = read(path, wrap(data))
    assert records == [b"first"]
    assert "ends in the middle of a record that starts at byte 21" in str(error)


def test_junk_behind_a_gzip_file_is_an_error(path):
    records, error = read(path, compress(frame([b"first"])) + b"junk")
    assert records == [b"first"]
    assert "what follows the end of the compressed data is not gzip" in str(error)


def test_records_in_front_of_the_damage_are_read(path):
    records = [b"x" * 1000] * 5000
    data = bytearray(frame(records))
    data[1016 * 4000 + 500] ^= 1
    found, error = read(path, bytes(data))
    assert found == records[:4000]
    assert error.offset == 1016 * 4000


def test_large_gzip_files_are_read_in_pieces(tmp_path):
    path = tmp_path / "large.gz"
    records = [bytes([number % 256]) * 1000 for number in range(20_000)]
    with open_gzip_writer(path) as write:
        write(records)
    assert list(read_records(path)) == records
    with open(path, "rb+") as file:
        file.truncate(path.stat().st_size - 100)
    found, error = read(path, path.read_bytes())
    assert error is not None
    assert found == records[: len(found)]
    assert len(found) > 15_000
