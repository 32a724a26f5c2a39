"""TFRecord files of messages to gzip TFRecords, divided into splits.

This process decompresses the files and follows the lengths in them; checksums, splits and
compression are done for blocks of records, by other processes if the input is large. Records are
written as they came.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from trainwright.data.example_writing.bad_records import BadRecord, BadRecords, RecordError
from trainwright.data.example_writing.examples_output import (
    BLOCK_BYTES,
    INLINE_BYTES,
    BlockOfRows,
    ReportProgress,
    WrittenExamples,
    block_writer,
    make_blocks,
    output_splits_by_input,
    total_size,
    write_examples,
)
from trainwright.data.example_writing.overflows import Overflows
from trainwright.data.example_writing.serialized_rows import Piece, SerializedRows
from trainwright.data.example_writing.splits import HashSplits
from trainwright.data.tfrecord import TFRecordError, count_bytes, read_frames
from trainwright.data.tfrecord_frames import FrameScanner, frame
from trainwright.engine.engine import Engine
from trainwright.proto import example_gen_pb2

_PIECE_RECORDS = 4096
# More than for CSV files, because a record costs less than a row of text.
_INLINE_BYTES = 2 * INLINE_BYTES
_INLINE_BYTES_WITHOUT_DECODING = 8 * INLINE_BYTES


def convert_tfrecords_to_examples(
    input_splits: Mapping[str, Sequence[str | os.PathLike[str]]],
    output_dir: str | os.PathLike[str],
    *,
    payload_format: int = example_gen_pb2.FORMAT_TF_EXAMPLE,
    output_splits: HashSplits | None = None,
    max_bad_records: int = 0,
    processes: int | None = None,
    report_progress: ReportProgress | None = None,
    block_bytes: int = BLOCK_BYTES,
    inline_bytes: int | None = None,
    engine: Engine | None = None,
) -> WrittenExamples:
    """Writes `<output_dir>/Split-<name>/data_tfrecord-<shard>-of-<shards>.gz` for each split.

    Records keep the order of the files within and across shards. The bytes depend on the input
    only, not on the number of processes. If this raises, the folders of the splits are incomplete
    and should be discarded.

    Args:
      input_splits: the TFRecord files of each input split, gzip or plain, in the order in which
        they are read.
      output_dir: where to write. The folders of the splits must be empty or not exist.
      payload_format: what the records are: tf.Examples, tf.SequenceExamples or, with FORMAT_PROTO,
        anything, which is then hashed as it is.
      output_splits: how to divide the records of the one input split. Without it, each input split
        is written whole, under its own name.
      max_bad_records: up to this many bad records are skipped, logged and counted; one more is
        refused. A record whose data have changed is skipped alone; where a length is damaged or a
        file is cut off, the rest of the file is lost, and counts as one.
      processes: how many processes write a large input; by default one per CPU. With 1, this
        process does everything.
      report_progress: called with the number of records written so far, after each block.
      block_bytes: how many bytes of records a block has, and so roughly how much one shard of each
        split is made from.
      inline_bytes: up to this size of all files together, this process does everything. By
        default more where no record is decoded, because then other processes gain little.
      engine: what runs the pass over the blocks; by default a `LocalEngine` with these numbers of
        processes and bytes.

    Raises:
      RecordError: if a file is empty, there is no record at all, a record is not a message of the
        payload format, or it lacks the partition feature; the message names the file and the byte.
      TooManyBadRecordsError: if more records than allowed cannot be read.
      ShardError: if a block cannot be written, or its process dies, twice.

    Example:
      convert_tfrecords_to_examples(
          {"all": ["penguins.tfrecord"]},
          "examples",
          output_splits=HashSplits(buckets=(("train", 2), ("eval", 1))),
      )
    """
    paths = {name: [os.fspath(path) for path in files] for name, files in input_splits.items()}
    outputs = output_splits_by_input(list(paths), output_splits)
    _check_not_empty(paths)
    bad_records = BadRecords(max_bad_records)
    empty_files: list[str] = []
    pieces = {name: _read_pieces(files, bad_records, empty_files) for name, files in paths.items()}
    row_format = SerializedRows(payload_format)
    if inline_bytes is None:
        is_decoded = output_splits is not None and payload_format != example_gen_pb2.FORMAT_PROTO
        inline_bytes = _INLINE_BYTES if is_decoded else _INLINE_BYTES_WITHOUT_DECODING
    with block_writer(total_size(paths), processes, inline_bytes, engine) as write_blocks:
        written = write_examples(
            write_blocks,
            _blocks(pieces, outputs, row_format, os.fspath(output_dir), block_bytes),
            os.fspath(output_dir),
            [split for output in outputs.values() for split in output.names],
            bad_records,
            report_progress,
        )
    if len(empty_files) == sum(map(len, paths.values())):
        raise RecordError(
            f"{', '.join(empty_files)}: there are no records, only gzip files of nothing. Expected "
            "at least one record. If other files have the records, name them: "
            "input_config={'splits': [{'name': 'all', 'pattern': '*.tfrecord.gz'}]}."
        )
    return replace(written, remarks=(*written.remarks, *_about_empty_files(empty_files)))


def write_serialized_examples(
    input_splits: Mapping[str, Iterable[bytes]],
    output_dir: str | os.PathLike[str],
    *,
    payload_format: int = example_gen_pb2.FORMAT_TF_EXAMPLE,
    output_splits: HashSplits | None = None,
    source: str = "the examples",
    report_progress: ReportProgress | None = None,
    block_bytes: int = BLOCK_BYTES,
    overflows: Overflows | None = None,
) -> WrittenExamples:
    """Like `convert_tfrecords_to_examples`, for records that code makes one by one.

    Records are hashed as they are, so messages should be serialized deterministically.

    Args:
      input_splits: the records of each input split.
      output_dir: where to write.
      payload_format: what the records are.
      output_splits: how to divide the records of the one input split.
      source: what to call the records in errors; places in it are numbers of records.
      report_progress: called with the number of records written so far, after each block.
      block_bytes: how many bytes of records a block has.
      overflows: where the code that makes the records notes numbers that became infinite.
    """
    outputs = output_splits_by_input(list(input_splits), output_splits)
    pieces = {
        name: _collect_pieces(records, f"{source}, split {name!r}")
        for name, records in input_splits.items()
    }
    row_format = SerializedRows(payload_format, is_made_here=True)
    # The code that makes the records is slower than what happens to them here.
    with block_writer(0, processes=1) as write_blocks:
        return write_examples(
            write_blocks,
            _blocks(pieces, outputs, row_format, os.fspath(output_dir), block_bytes),
            os.fspath(output_dir),
            [split for output in outputs.values() for split in output.names],
            BadRecords(0),
            report_progress,
            overflows,
        )


def _check_not_empty(paths: Mapping[str, Sequence[str]]) -> None:
    for files in paths.values():
        for path in files:
            if not os.path.getsize(path):
                raise RecordError(
                    f"{path} is empty at byte 0: expected TFRecords. If it is not a data file, "
                    "name the others: "
                    "input_config={'splits': [{'name': 'all', 'pattern': '*.tfrecord'}]}."
                )


def _about_empty_files(paths: Sequence[str]) -> list[str]:
    if not paths:
        return []
    files = "1 file has" if len(paths) == 1 else f"{len(paths)} files have"
    return [f"{files} no records, though compressed: for example {paths[0]}."]


def _read_pieces(
    paths: Sequence[str], bad_records: BadRecords, empty_files: list[str]
) -> Iterator[Piece]:
    """The records of an input split; files without any are added to `empty_files`."""
    for path in paths:
        is_empty = True
        try:
            for offset, frames in read_frames(path):
                is_empty = False
                yield path, offset, frames
        except TFRecordError as error:
            is_empty = False
            bad_records.add([_lost_rest(error, bad_records.limit)])
        if is_empty:
            empty_files.append(path)


def _lost_rest(error: TFRecordError, limit: int) -> BadRecord:
    problem = str(error)
    if limit:
        lost = count_bytes(error.path) - error.offset
        problem += f" The rest of the file from byte {error.offset} on, {lost} bytes, is lost."
    return BadRecord(error.path, error.offset, problem)


def _collect_pieces(records: Iterable[bytes], source: str) -> Iterator[Piece]:
    scanner = FrameScanner()
    collected: list[bytes] = []
    number = 0
    for record in records:
        collected.append(record)
        if len(collected) == _PIECE_RECORDS:
            yield source, number, scanner.scan(frame(collected))[0]
            number += len(collected)
            collected = []
    if collected:
        yield source, number, scanner.scan(frame(collected))[0]


def _blocks(
    pieces: Mapping[str, Iterable[Piece]],
    outputs: Mapping[str, HashSplits],
    row_format: SerializedRows,
    output_dir: str,
    block_bytes: int,
) -> Iterator[BlockOfRows]:
    inputs = ((row_format, outputs[name], read) for name, read in pieces.items())
    return make_blocks(inputs, output_dir, block_bytes, lambda piece: len(piece[2].data))
