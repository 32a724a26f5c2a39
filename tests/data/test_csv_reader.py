"""CSV files are read as users mean them; a file that cannot be read is blamed on its line."""

import csv
import gzip
import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trainwright.data.example_writing.column_types import ColumnType
from trainwright.data.example_writing.csv_diagnosis import CsvError
from trainwright.data.example_writing.csv_reader import (
    infer_column_types,
    read_batches,
    read_column_names,
)


@pytest.fixture
def write(tmp_path):
    def write_file(content, name="data.csv"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    return write_file


def read(*paths, block_bytes=1 << 20):
    """All rows, with "" for a missing value."""
    names = read_column_names(paths)
    rows = []
    for batch in read_batches(paths, names, block_bytes):
        assert batch.schema.names == names
        columns = [column.to_pylist() for column in batch.columns]
        rows += [["" if cell is None else cell for cell in row] for row in zip(*columns)]
    return rows


def error(*paths):
    with pytest.raises(CsvError) as raised:
        infer_column_types(paths, read_column_names(paths))
    return str(raised.value)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("last_end", [True, False])
def test_line_ends(write, end, last_end):
    path = write(end.join(["a,b", "1,x", "2,y"]) + (end if last_end else ""))
    assert read_column_names([path]) == ["a", "b"]
    assert read(path) == [["1", "x"], ["2", "y"]]


def test_byte_order_mark_is_not_part_of_the_first_name(write):
    assert read_column_names([write(b"\xef\xbb\xbfa,b\n1,2\n")]) == ["a", "b"]
    assert read(write(b'\xef\xbb\xbf"a",b\n1,2\n')) == [["1", "2"]]


def test_blank_lines_are_skipped_but_not_empty_cells(write):
    assert read(write("a,b\n\n1,\n\r\n\n,\n")) == [["1", ""], ["", ""]]
    assert read(write('a\n\n""\n1\n')) == [[""], ["1"]]


def test_quoted_cells(write):
    path = write('a,b\n"x, y","say ""hi"""\n"two\nlines","\n\r\n"\n')
    assert read(path) == [["x, y", 'say "hi"'], ["two\nlines", "\n\r\n"]]


def test_quotes_inside_an_unquoted_cell_are_text(write):
    assert read(write('a,b\n5" by 6",2\n')) == [['5" by 6"', "2"]]


def test_names_in_the_header_may_be_quoted(write):
    assert read_column_names([write('"a, b",c\n1,2\n')]) == ["a, b", "c"]
    path = write('"two\nlines",c\n1,2\n')
    assert read_column_names([path]) == ["two\nlines", "c"]
    assert read(path) == [["1", "2"]]


def test_white_space_around_the_header_is_dropped_as_tfx_does(write):
    path = write(" a, b ,c \n1,2,3\n")
    assert read_column_names([path]) == ["a", " b ", "c"]
    assert read(path) == [["1", "2", "3"]]


def test_no_word_means_a_missing_value(write):
    words = ["NA", "null", "NULL", "nan", "N/A", "#N/A"]
    assert read(write("a\n" + "\n".join(words) + "\n")) == [[word] for word in words]


def test_rows_keep_their_order_over_files(write):
    first = write("a\n1\n2\n", "first.csv")
    empty = write("a\n", "empty.csv")
    second = write("a\n3", "second.csv")
    assert read(first, empty, second) == [["1"], ["2"], ["3"]]


def test_batches_are_bounded_by_the_block(write):
    path = write("a,b\n" + "1,x\n" * 10_000)
    batches = list(read_batches([path], ["a", "b"], 1000))
    assert sum(batch.num_rows for batch in batches) == 10_000
    assert max(batch.num_rows for batch in batches) <= 250


def test_types_are_inferred_over_all_files_and_blocks(write):
    first = write("int,float,bytes,empty\n1,1,1,\n" + "2,2,2,\n" * 1000, "first.csv")
    second = write("int,float,bytes,empty\n,2.5,,\n3,,x,\n", "second.csv")
    names = read_column_names([first, second])
    assert infer_column_types([first, second], names, 1000) == {
        "int": ColumnType.INT,
        "float": ColumnType.FLOAT,
        "bytes": ColumnType.BYTES,
        "empty": ColumnType.UNKNOWN,
    }


# Python 3.10 cannot write a NUL character.
NO_NUL = st.characters(codec="utf-8", exclude_characters="\0")
TEXT = st.text(st.sampled_from("ab1 ,\"\n\r'é東") | NO_NUL, max_size=10)


@settings(deadline=None)
@given(
    rows=st.lists(st.lists(TEXT, min_size=3, max_size=3), max_size=20),
    quote_all=st.booleans(),
    line_end=st.sampled_from(["\n", "\r\n"]),
)
def test_what_python_writes_is_read_back(tmp_path_factory, rows, quote_all, line_end):
    # Python leaves a cell with a carriage return unquoted, if lines do not end with one.
    quote_all = quote_all or any("\r" in cell for row in rows for cell in row)
    quoting = csv.QUOTE_ALL if quote_all else csv.QUOTE_MINIMAL
    path = tmp_path_factory.mktemp("csv") / "data.csv"
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, quoting=quoting, lineterminator=line_end)
        writer.writerows([["a", "b", "c"], *rows])
    assert read(str(path), block_bytes=512) == rows


@settings(deadline=None)
@given(body=st.text('ab1 ,"\n\r', max_size=60))
def test_any_text_is_read_as_python_does_or_refused(tmp_path_factory, body):
    path = tmp_path_factory.mktemp("csv") / "data.csv"
    path.write_bytes(b"a,b\n" + body.encode())
    rows = [row for row in csv.reader(io.StringIO(body, newline="")) if row]
    # Quotes pair up unless the last cell is open, which the reader of Python does not tell.
    is_open = [*csv.reader(io.StringIO(body + "\nlast", newline=""))][-1:] != [["last"]]
    if body.count('"') % 2 or is_open or any(len(row) != 2 for row in rows):
        assert f"{path}, line" in error(str(path))
    else:
        assert read(str(path)) == rows


# Bad input: the message names the file and the line, and says what to do.


def test_no_files():
    with pytest.raises(CsvError, match="no CSV files"):
        read_column_names([])


def test_missing_file(tmp_path):
    with pytest.raises(FileNotFoundError, match="nothing.csv"):
        read_column_names([str(tmp_path / "nothing.csv")])


def test_empty_file(write):
    assert "is empty: expected a first line with the names" in error(write(""))


def test_blank_first_line(write):
    path = write("\na,b\n1,2\n")
    assert f"{path}, line 1 is blank" in error(path)


@pytest.mark.parametrize("content", ["a,b\n", "a,b", "a,b\n\n\n"])
def test_header_only(write, content):
    path = write(content)
    message = error(path)
    assert message.startswith(f"{path}: line 1 has the names of the columns and no rows follow")


def test_header_with_empty_names(write):
    message = error(write("a,,c,\n1,2,3,4\n"))
    assert "line 1: column 2, 4 of 4 has no name ('a,,c,')" in message
    assert "remove the extra comma" in message


def test_header_with_a_name_twice(write):
    message = error(write("a,b,a\n1,2,3\n"))
    assert "line 1: the name 'a' is used for more than one column" in message


def test_header_with_a_name_that_is_no_name(write):
    message = error(write("a" * 200_000 + ",b\n1,2\n"))
    assert "line 1 cannot be read as the header: field larger than field limit" in message


def test_header_with_an_open_quote(write):
    message = error(write('a,"b\n1,2\n'))
    assert "line 1: a cell of this row opens a double quote that is never closed" in message


def test_headers_that_differ_in_names(write):
    first = write("a,b,c\n1,2,3\n", "first.csv")
    second = write("a,x,c,d\n1,2,3,4\n", "second.csv")
    message = error(first, second)
    assert message.startswith(f"{second}, line 1: the columns differ from those of {first}:")
    assert "it lacks 'b' and it adds 'x', 'd'" in message


def test_headers_that_differ_in_order(write):
    message = error(write("a,b\n1,2\n", "first.csv"), write("b,a\n1,2\n", "second.csv"))
    assert "the order is b,a, not a,b" in message


def test_row_with_too_few_cells(write):
    message = error(write("a,b,c\n1,2,3\n\n4,5\n6,7,8\n"))
    assert (
        "data.csv, line 4: this row has 2 cells, but the header has 3 columns (a, b, c)" in message
    )
    assert "The row: '4,5'. An empty cell still needs its comma." in message


def test_row_with_too_many_cells(write):
    message = error(write('a,b\n"x\ny",2\n1,2,3\n'))
    assert "data.csv, line 4: this row has 3 cells" in message
    assert "must be in double quotes" in message


def test_row_over_several_lines(write):
    assert "lines 2 to 3: this row has 1 cell," in error(write('a,b\n"x\ny"\n1,2\n'))


def test_white_space_is_not_a_blank_line(write):
    assert "line 3: this row has 1 cell," in error(write("a,b\n1,2\n  \n"))


def test_bad_row_far_into_a_file(write):
    assert "line 50002: this row has 1 cell" in error(write("a,b\n" + "1,2\n" * 50_000 + "1\n"))


def test_second_file_is_named(write):
    good = write("a,b\n1,2\n", "good.csv")
    assert "bad.csv, line 3:" in error(good, write("a,b\n1,2\n1\n", "bad.csv"))


@pytest.mark.parametrize("last_end", ["", "\n", "\r\n"])
def test_quote_that_is_never_closed(write, last_end):
    # Arrow takes the rest of the file for the last cell, without a word.
    message = error(write('a,b\n1,x\n2,"y\n3,z' + last_end))
    assert (
        "data.csv, line 3: a cell of this row opens a double quote that is never closed" in message
    )
    assert """The row starts: '2,"y'.""" in message


def test_quote_that_is_never_closed_though_quotes_are_even(write):
    message = error(write('a,b\n5",x\n2,"y\n3,z'))
    assert "data.csv, line 2: the double quotes of this row do not pair up: 1 found" in message


def test_open_quote_that_a_later_one_closes(write):
    message = error(write('a,b\n"x,1\ny,2\n"z",3\n'))
    assert "data.csv, lines 2 to 4: the double quotes of this row do not pair up: 3" in message


def test_single_quote_character_in_text(write):
    message = error(write('a,b\n1,2\n5" pipe,3\n'))
    assert "line 3: the double quotes of this row do not pair up" in message
    assert '"5"" pipe"' in message


def test_last_cell_may_end_with_a_line_break(write):
    assert read(write('a,b\n1,"x\n"\n')) == [["1", "x\n"]]


def test_row_longer_than_a_block(write):
    path = write("a,b\n1," + "x" * 5000 + "\n2,y\n")
    with pytest.raises(CsvError, match=r"data\.csv cannot be read as CSV: .*up to 1000 bytes long"):
        read(path, block_bytes=1000)


@pytest.mark.parametrize("content", [b"a,b\n1,x\n2,caf\xe9\n", b"a,b\r\n1,x\r\n2,caf\xe9\r\n"])
def test_bytes_that_are_not_utf8(write, content):
    message = error(write(content))
    offset = content.index(b"\xe9") + 1
    assert (
        f"data.csv, line 3: byte 6 of the line (byte {offset} of the file) is 0xE9, which is not "
        "UTF-8" in message
    )
    assert "iconv -f latin1 -t utf-8" in message


def test_header_that_is_not_utf8(write):
    assert "line 1: byte 4 of the line" in error(write(b"caf\xe9,b\n1,2\n"))


@pytest.mark.parametrize(
    ("content", "advice"),
    [
        ("a,b\n1,2\n".encode("utf-16"), "iconv -f utf-16"),
        ("a,b\n1,2\n".encode("utf-16-le"), "line 1 contains a NUL character"),
        (b"\x1f\x8b\x08\x00\xff\xff", "decompress it first"),
        (b"PK\x03\x04\xff\xff", "export it as CSV first"),
        # What is not UTF-8 comes in a later line, or not at all.
        (b"PK\x03\x04\x14\x00\n\xff", "zip archive or a spreadsheet (xlsx): export it as CSV"),
        (b"\xd0\xcf\x11\xe0\n", "export it as CSV first"),
        (b"PAR1\x15\x04\n\xff\nPAR1", "ParquetExampleGen in place of CsvExampleGen"),
        (b"Obj\x01\x04\n", "an Avro file"),
    ],
)
def test_files_of_other_kinds_are_recognised(write, content, advice):
    message = error(write(content))
    assert advice in message
    assert "latin1" not in message


def test_a_header_may_begin_like_a_file_of_another_kind(write):
    assert read(write("PAR1,PK\n1,2\n")) == [["1", "2"]]
    assert read(write("PK,Obj\n1,2\n")) == [["1", "2"]]


def test_what_is_wrong_with_many_columns_is_said_shortly(tmp_path):
    first, other, ragged = (tmp_path / f"{name}.csv" for name in ("first", "other", "ragged"))
    names = [f"column_{number}" for number in range(50_000)]
    first.write_text(",".join(names) + "\n")
    other.write_text(",".join(f"other_{name}" for name in names) + "\n")
    ragged.write_text(",".join(names) + "\n1,2\n")
    with pytest.raises(CsvError) as raised:
        read_column_names([str(first), str(other)])
    assert "it lacks 'column_0', " in str(raised.value)
    assert "'other_column_19', … (50000 in all)" in str(raised.value)
    assert len(str(raised.value)) < 2000
    with pytest.raises(CsvError, match=r"has 2 cells, but the header has 50000 columns") as raised:
        list(read_batches([str(ragged)], names))
    assert len(str(raised.value)) < 2000


def test_a_gzip_file_of_nothing_is_no_csv(tmp_path):
    path = tmp_path / "nothing.csv.gz"
    path.write_bytes(gzip.compress(b""))
    with pytest.raises(CsvError, match="looks like a gzip file: decompress it first"):
        read_column_names([str(path)])
