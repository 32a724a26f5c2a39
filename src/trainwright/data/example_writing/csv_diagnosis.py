"""Finds the line to blame when a CSV file cannot be read.

Arrow reads CSV fast and says little about what is wrong. This module reads a file slowly, a line at
a time, follows its quotes as Arrow does, and words the first problem for the person who has to fix
the file. It also reads the header, where being slow costs nothing.
"""

from __future__ import annotations

import csv
import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from trainwright._errors import TrainwrightError
from trainwright.data.example_writing.bad_records import BadRecord

_BOM = b"\xef\xbb\xbf"
_EXCERPT_CHARACTERS = 80

# What separates cells in files that only go by the name of CSV, and what it is called.
_OTHER_SEPARATORS = {";": "semicolons", "\t": "tabs", "|": "vertical bars"}
_SAMPLED_LINES = 20

# How files of other kinds begin, what they look like, and what to do about them. A header may begin
# with "PAR1" or "Obj", too, but not with the byte that follows.
_OTHER_KINDS = (
    (re.compile(rb"\x1f\x8b"), "a gzip file: decompress it first"),
    (
        re.compile(rb"PK(\x03\x04|\x05\x06)"),
        "a zip archive or a spreadsheet (xlsx): export it as CSV first",
    ),
    (re.compile(rb"\xd0\xcf\x11\xe0"), "a spreadsheet (xls): export it as CSV first"),
    (
        re.compile(rb"PAR[1E][\x00-\x08\x0e-\x1f]"),
        "a Parquet file: read it with ParquetExampleGen in place of CsvExampleGen",
    ),
    (re.compile(rb"Obj\x01"), "an Avro file: convert it to CSV or Parquet first"),
)
_SHOWN_NAMES = 20


class CsvError(TrainwrightError, ValueError):
    """A CSV file is not what was expected; the message names the file and, if it can, the line."""


@dataclass(frozen=True)
class _Record:
    """A row as it lies in the file: more than one line if a quoted cell has line breaks."""

    first_line: int
    last_line: int
    cells: int
    quotes: int
    is_closed: bool  # False if the file ends inside a quoted cell
    excerpt: str

    @property
    def is_blank(self) -> bool:
        return not self.excerpt and self.cells == 1

    @property
    def place(self) -> str:
        if self.first_line == self.last_line:
            return f"line {self.first_line}"
        return f"lines {self.first_line} to {self.last_line}"


def read_header_cells(path: str) -> list[str]:
    """The names in the first row of a CSV file, as they are written there."""
    record = next(_records(path), None)
    if record is None:
        raise CsvError(f"{path} is empty: expected a first line with the names of the columns.")
    if record.is_blank:
        raise CsvError(
            f"{path}, line 1 is blank: expected the names of the columns. Remove the blank line."
        )
    if "\0" in record.excerpt:
        raise CsvError(
            f"{path}, line 1 contains a NUL character: expected the names of the columns. The file "
            "may be binary, or UTF-16: then convert it to UTF-8."
        )
    _check_quotes(path, record)
    try:
        return next(csv.reader(line.decode() for _, line in _lines(path)))
    except csv.Error as error:
        raise CsvError(f"{path}, line 1 cannot be read as the header: {error}.") from error


def shorten(names: Sequence[str], separator: str = ", ") -> str:
    """The names, or the first of them if they are many.

    >>> shorten(["a"] * 20_000)[-21:]
    ', a, … (20000 in all)'
    """
    if len(names) <= _SHOWN_NAMES:
        return separator.join(names)
    return f"{separator.join(names[:_SHOWN_NAMES])}{separator}… ({len(names)} in all)"


def find_other_separator(path: str, column_names: Sequence[str]) -> str | None:
    """What to do about a file of one column whose cells are separated by something else.

    None if there are more columns, or the file looks like one. A guess: the header and the rows
    that follow it fall into the same number of cells, at least two.
    """
    if len(column_names) > 1:
        return None
    lines = [line.decode() for _, line in itertools.islice(_lines(path), _SAMPLED_LINES)]
    for separator, word in _OTHER_SEPARATORS.items():
        try:
            rows = [row for row in csv.reader(lines, delimiter=separator) if row]
        except csv.Error:
            continue
        if len(rows) > 1 and len(rows[0]) > 1 and {len(row) for row in rows} == {len(rows[0])}:
            shown = "'\\t'" if separator == "\t" else f"'{separator}'"
            return (
                f"Its cells look separated by {word}, {len(rows[0])} in each row, and only commas "
                'separate cells, as in TFX. Convert the file if that is so: python -c "import '
                f"csv, sys; rows = csv.reader(sys.stdin, delimiter={shown}); "
                f'csv.writer(sys.stdout).writerows(rows)" < {path} > converted.csv'
            )
    return None


def find_problem(
    path: str, column_names: Sequence[str], *, allow_any_width: bool = False
) -> CsvError | None:
    """The first reason why the file cannot be read as rows of `column_names`, if there is one.

    With `allow_any_width`, too few or too many cells are none.
    """
    try:
        other_separator = find_other_separator(path, column_names)
        for record in _records(path):
            _check_quotes(path, record)
            problem = _width_problem(path, record, column_names, other_separator)
            if problem and not allow_any_width:
                return CsvError(problem)
    except CsvError as error:
        return error
    return None


def find_rows_of_wrong_width(path: str, column_names: Sequence[str]) -> list[BadRecord]:
    """The rows with too few or too many cells, in a file that can be read otherwise."""
    other_separator = find_other_separator(path, column_names)
    problems = (
        (record.first_line, _width_problem(path, record, column_names, other_separator))
        for record in _records(path)
    )
    return [BadRecord(path, line, problem) for line, problem in problems if problem]


def _check_quotes(path: str, record: _Record) -> None:
    if not record.is_closed:
        raise CsvError(
            f"{path}, line {record.first_line}: a cell of this row opens a double quote that is "
            f"never closed, so the rest of the file would be one cell. The row starts: "
            f"{record.excerpt!r}. Close the quote; a quote that belongs to the text is written "
            'twice, inside a quoted cell: "5"" pipe".'
        )
    if record.quotes % 2:
        raise CsvError(
            f"{path}, {record.place}: the double quotes of this row do not pair up: "
            f"{record.quotes} found in {record.excerpt!r}. Close the quote that is open; a quote "
            'that belongs to the text is written twice, inside a quoted cell: "5"" pipe".'
        )


def _width_problem(
    path: str, record: _Record, column_names: Sequence[str], other_separator: str | None
) -> str | None:
    if record.is_blank or record.cells == len(column_names):
        return None
    if other_separator:
        advice = other_separator
    elif record.cells < len(column_names):
        advice = "An empty cell still needs its comma."
    else:
        advice = "A cell that contains a comma or a line break must be in double quotes."
    return (
        f"{path}, {record.place}: this row has {_count(record.cells, 'cell')}, but the header has "
        f"{_count(len(column_names), 'column')} ({shorten(column_names)}). The row: "
        f"{record.excerpt!r}. {advice}"
    )


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _records(path: str) -> Iterator[_Record]:
    first_line, cells, quotes, excerpt, in_quotes = 0, 1, 0, "", False
    number = 0
    for number, line in _lines(path):
        if not in_quotes:
            first_line, cells, quotes = number, 1, 0
            excerpt = line.rstrip(b"\r\n").decode()[:_EXCERPT_CHARACTERS]
        separators, in_quotes = _scan_line(line, in_quotes)
        cells += separators
        quotes += line.count(b'"')
        if not in_quotes:
            yield _Record(first_line, number, cells, quotes, True, excerpt)
    if in_quotes:
        yield _Record(first_line, number, cells, quotes, False, excerpt)


def _scan_line(line: bytes, in_quotes: bool) -> tuple[int, bool]:
    """How many commas of the line separate cells, and whether it ends inside a quoted cell.

    A quote opens a quoted cell only as the first character of the cell; elsewhere it is text.
    """
    separators = 0
    position = 0
    at_cell_start = not in_quotes
    while True:
        if at_cell_start and line.startswith(b'"', position):
            in_quotes = True
            position += 1
        while in_quotes:
            position = line.find(b'"', position)
            if position < 0:
                return separators, True
            is_escaped = line.startswith(b'""', position)
            in_quotes = is_escaped
            position += 2 if is_escaped else 1
        position = line.find(b",", position)
        if position < 0:
            return separators, False
        separators += 1
        position += 1
        at_cell_start = True


def _lines(path: str) -> Iterator[tuple[int, bytes]]:
    """The numbered lines of a file, without a byte order mark; all of them are UTF-8."""
    number = 0
    offset = 0
    with open(path, "rb") as file:
        for ending_in_newline in file:
            for line in ending_in_newline.splitlines(keepends=True):
                number += 1
                if number == 1:
                    _check_kind(path, line)
                _check_utf8(path, number, offset, line)
                offset += len(line)
                yield number, line.removeprefix(_BOM) if number == 1 else line


def _check_kind(path: str, first_line: bytes) -> None:
    for beginning, kind in _OTHER_KINDS:
        if beginning.match(first_line):
            raise CsvError(f"{path} is not a CSV file. It looks like {kind}.")


def _check_utf8(path: str, number: int, offset: int, line: bytes) -> None:
    try:
        line.decode()
    except UnicodeDecodeError as error:
        raise CsvError(
            f"{path}, line {number}: byte {error.start + 1} of the line (byte "
            f"{offset + error.start + 1} of the file) is 0x{line[error.start]:02X}, which is not "
            f"UTF-8. {_encoding_advice(path, line if number == 1 else b'')}"
        ) from None


def _encoding_advice(path: str, first_line: bytes) -> str:
    encoding = "utf-16" if first_line.startswith((b"\xff\xfe", b"\xfe\xff")) else "latin1"
    return (
        "CSV files must be UTF-8. Convert the file from the encoding it was saved in, for example: "
        f"iconv -f {encoding} -t utf-8 {path} > converted.csv"
    )
