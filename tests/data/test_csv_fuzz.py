"""Whatever bytes a CSV file holds: the rows that Python reads, or an error that names the file."""

import csv
import io
import sys

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from trainwright.data.example_messages import example_class
from trainwright.data.example_writing.csv_diagnosis import CsvError
from trainwright.data.example_writing.csv_to_examples import convert_csv_to_examples
from trainwright.data.tfrecord import read_records

FAST = settings(deadline=None, max_examples=200)
PIECES = st.sampled_from(
    ["a", "b", "1", "2.5", ",", ",", "\n", "\n", "\r\n", "\r", '"', '""', " ", "é", "\ufeff", "\0"]
)
TEXT = st.lists(PIECES, max_size=40).map("".join).map(str.encode)


def convert(directory, content):
    """The rows of a file, each a dict of cells, or the error."""
    path = directory / "data.csv"
    path.write_bytes(content)
    try:
        convert_csv_to_examples({"all": [path]}, directory / "out")
    except CsvError as refused:
        error = refused
    else:
        error = None
    if error is not None:
        assert str(path) in str(error)
        return error
    [shard] = (directory / "out" / "Split-all").iterdir()
    rows = []
    for record in read_records(shard):
        features = example_class().FromString(record).features.feature
        rows.append({name: cell(feature) for name, feature in features.items()})
    return rows


def cell(feature):
    kind = feature.WhichOneof("kind")
    return list(getattr(feature, kind).value) if kind else []


def read_by_python(content):
    text = content.decode().removeprefix("\ufeff")
    header, *rows = [row for row in csv.reader(io.StringIO(text, newline="")) if row]
    header[0] = header[0].lstrip()
    header[-1] = header[-1].rstrip()
    return [dict(zip(header, row, strict=True)) for row in rows]


def same(cells, text):
    """Whether the values of a feature are those of a cell's text."""
    if not cells or text == "":
        return not cells and text == ""
    [value] = cells
    if isinstance(value, bytes):
        return value == text.encode()
    return value == (int(text) if isinstance(value, int) else np.float32(text))


@FAST
@given(content=TEXT | TEXT.map(lambda body: b"a,b\n" + body) | st.binary(max_size=60))
@example(b"a\n\xff\xfe")
@example(b"\xef\xbb\xbf\xef\xbb\xbfa\n1")
@example(b'a\n"')
@example(b"a,b\n1,2\n\0")
def test_any_file(tmp_path_factory, content):
    found = convert(tmp_path_factory.mktemp("csv"), content)
    if isinstance(found, CsvError):
        return
    if sys.version_info < (3, 11) and b"\0" in content:
        return  # Python's own reader refuses it
    expected = read_by_python(content)
    assert len(found) == len(expected)
    for row, text_row in zip(found, expected):
        assert row.keys() == text_row.keys()
        assert all(same(cells, text_row[name]) for name, cells in row.items())


@pytest.mark.parametrize("size", [1000, 5 << 20])
def test_binary_files_are_refused(tmp_path, size):
    found = convert(tmp_path, bytes(range(256)) * (size // 256))
    assert isinstance(found, CsvError)
