"""Streams CSV files as Arrow batches of text, and finds the type of each column.

The rules are TFX's: the first line of each file names the columns, all files have the same header,
blank lines are skipped, an empty cell is a missing value, text is UTF-8. Beyond TFX, names in the
header may be quoted and a byte order mark is ignored. Memory is bounded by Arrow's block.
"""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import BinaryIO, cast

import pyarrow as pa
import pyarrow.csv

from trainwright.data.example_writing.bad_records import BadRecord
from trainwright.data.example_writing.column_types import ColumnType, widen_types
from trainwright.data.example_writing.csv_diagnosis import (
    CsvError,
    find_problem,
    find_rows_of_wrong_width,
    read_header_cells,
    shorten,
)

READ_BLOCK_BYTES = 2 << 20

OnBadRows = Callable[[Sequence[BadRecord]], None]


def read_column_names(paths: Sequence[str]) -> list[str]:
    """The header which all of the files share.

    Raises:
      CsvError: if a file is empty, a name is missing or used twice, or the headers differ.
    """
    if not paths:
        raise CsvError("There are no CSV files to read: expected at least one.")
    names = _column_names(paths[0])
    for path in paths[1:]:
        other_names = _column_names(path)
        if other_names != names:
            raise CsvError(_header_difference(paths[0], names, path, other_names))
    return names


def read_batches(
    paths: Sequence[str],
    column_names: Sequence[str],
    block_bytes: int = READ_BLOCK_BYTES,
    *,
    on_bad_rows: OnBadRows | None = None,
) -> Iterator[pa.RecordBatch]:
    """Yields the rows of the files in order, as string columns in which an empty cell is null.

    A batch holds the rows of about `block_bytes` of one file; a row cannot be longer than that.
    With `on_bad_rows`, rows with too few or too many cells are skipped, and it is called with
    those of a file when the file has been read.

    Raises:
      CsvError: at a row that cannot be read; the message names the file and the line.
    """
    for path in paths:
        for batch in _read_file(path, column_names, block_bytes, on_bad_rows):
            yield pa.RecordBatch.from_arrays(batch.columns, names=list(column_names))


def infer_column_types(
    paths: Sequence[str],
    column_names: Sequence[str],
    block_bytes: int = READ_BLOCK_BYTES,
    *,
    on_bad_rows: OnBadRows | None = None,
) -> dict[str, ColumnType]:
    """The type of each column over all rows of the files, which are read once, whole.

    Raises:
      CsvError: if a row cannot be read, or if there are no rows at all.
    """
    types = [ColumnType.UNKNOWN] * len(column_names)
    has_rows = False
    for batch in read_batches(paths, column_names, block_bytes, on_bad_rows=on_bad_rows):
        has_rows = has_rows or batch.num_rows > 0
        types = widen_types(types, batch.columns)
    if not has_rows:
        raise CsvError(
            f"{', '.join(paths)}: line 1 has the names of the columns and no rows follow. "
            "Expected at least one row of data."
        )
    return dict(zip(column_names, types, strict=True))


def _column_names(path: str) -> list[str]:
    names = read_header_cells(path)
    # White space around the header line is not part of a name; inside the line it is.
    names[0] = names[0].lstrip()
    names[-1] = names[-1].rstrip()
    without_name = [str(position) for position, name in enumerate(names, start=1) if not name]
    if without_name:
        raise CsvError(
            f"{path}, line 1: column {shorten(without_name)} of {len(names)} has no "
            f"name ({shorten(names, ',')!r}). Name every column, or remove the extra comma."
        )
    repeated = [repr(name) for name, count in Counter(names).items() if count > 1]
    if repeated:
        raise CsvError(
            f"{path}, line 1: the name {shorten(repeated)} is used for more than one column. "
            "Each column becomes a feature and needs a name of its own."
        )
    return names


def _header_difference(path: str, names: list[str], other_path: str, other_names: list[str]) -> str:
    here, there = set(names), set(other_names)
    missing = [repr(name) for name in names if name not in there]
    added = [repr(name) for name in other_names if name not in here]
    differences = []
    if missing:
        differences.append(f"it lacks {shorten(missing)}")
    if added:
        differences.append(f"it adds {shorten(added)}")
    if not differences:
        differences.append(f"the order is {shorten(other_names, ',')}, not {shorten(names, ',')}")
    return (
        f"{other_path}, line 1: the columns differ from those of {path}: "
        f"{' and '.join(differences)}. The files of one split must have the same header. If one "
        "of them is not a data file, name the others: "
        "input_config={'splits': [{'name': 'all', 'pattern': '*.csv'}]}."
    )


def _read_file(
    path: str, column_names: Sequence[str], block_bytes: int, on_bad_rows: OnBadRows | None
) -> Iterator[pa.RecordBatch]:
    last_cell = None
    wide_or_narrow = _RowsOfWrongWidth()
    skip = None if on_bad_rows is None else wide_or_narrow.skip
    with _CsvBytes(path) as file:
        try:
            for batch in _open_arrow_reader(file, read_header_cells(path), block_bytes, skip):
                yield batch
                if batch.num_rows:
                    last_cell = batch.column(batch.num_columns - 1)[-1].as_py()
        except pa.ArrowInvalid as error:
            raise _explain(path, column_names, error, block_bytes, skip is not None) from error
        # Arrow takes the end of the file for the end of a quoted cell. Such a cell then ends with
        # the newline that _CsvBytes put there.
        if file.quotes % 2 or wide_or_narrow.count or (last_cell and last_cell.endswith("\n")):
            problem = find_problem(path, column_names, allow_any_width=skip is not None)
            if problem:
                raise problem
    if on_bad_rows is not None and wide_or_narrow.count:
        on_bad_rows(find_rows_of_wrong_width(path, column_names))


class _RowsOfWrongWidth:
    """Makes Arrow skip the rows that do not fit the header, and counts them.

    Arrow knows a row's number but not its line; where lines are needed the file is read again.
    """

    def __init__(self) -> None:
        self.count = 0

    def skip(self, row: pyarrow.csv.InvalidRow) -> str:
        self.count += 1
        return "skip"


def _open_arrow_reader(
    file: _CsvBytes,
    header: list[str],
    block_bytes: int,
    skip: Callable[[pyarrow.csv.InvalidRow], str] | None,
) -> pyarrow.csv.CSVStreamingReader:
    return pyarrow.csv.open_csv(
        cast(BinaryIO, file),
        read_options=pyarrow.csv.ReadOptions(block_size=block_bytes),
        parse_options=pyarrow.csv.ParseOptions(
            newlines_in_values=True,
            invalid_row_handler=skip,
        ),
        convert_options=pyarrow.csv.ConvertOptions(
            column_types={name: pa.string() for name in header},
            null_values=[""],
            strings_can_be_null=True,
            quoted_strings_can_be_null=True,
        ),
    )


def _explain(
    path: str,
    column_names: Sequence[str],
    error: pa.ArrowInvalid,
    block_bytes: int,
    allow_any_width: bool,
) -> CsvError:
    problem = find_problem(path, column_names, allow_any_width=allow_any_width)
    if problem:
        return problem
    return CsvError(
        f"{path} cannot be read as CSV: {str(error).rstrip('.')}. Rows may be up to "
        f"{block_bytes} bytes long."
    )


class _CsvBytes(io.RawIOBase):
    """The bytes of a CSV file and a last newline, counting the double quotes that pass."""

    def __init__(self, path: str) -> None:
        self._file = open(path, "rb")  # noqa: SIM115
        self._at_end = False
        self.quotes = 0

    def read(self, size: int = -1) -> bytes:
        data = self._file.read(size)
        if len(data) < size and not self._at_end:
            self._at_end = True
            data += b"\n"
        self.quotes += data.count(b'"')
        return data

    def readable(self) -> bool:
        return True

    def close(self) -> None:
        self._file.close()
        super().close()
