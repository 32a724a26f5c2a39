"""InferencePass: asks a model about the records of a file and writes what it says."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from functools import cached_property
from typing import Any

from google.protobuf.message import DecodeError

from trainwright.components.bulk_inferrer.bulk_model import (
    Answer,
    AskedSignature,
    BulkModel,
    bisect_failure,
)
from trainwright.components.bulk_inferrer.output_columns import OutputColumn
from trainwright.components.bulk_inferrer.shards import EXAMPLES, LOGS
from trainwright.data.example_merging import FeatureExistsError
from trainwright.data.example_reading.example_files import ExampleFiles
from trainwright.data.graph_optimizer import disable_arithmetic_optimizer
from trainwright.data.tfrecord import open_gzip_writer
from trainwright.engine.engine import InvalidInputError
from trainwright.engine.passes import MappingPass, ReportUnits, Shard

# A batch has up to this many records, and about this many bytes if there are several: asking costs
# the same for a small one, and what a model makes of large records (images) must fit into memory.
_BATCH_ROWS = 4096
_BATCH_BYTES = 1 << 20


class InferencePass(MappingPass):
    """Writes a file of prediction logs, of output examples, or of both, for each file of records.

    A shard's config has the path of a file and, as `logs` and `examples`, those to write.

    Args:
        model: The directory of the SavedModel.
        tags: Of its graph.
        signatures: What it is asked by: `AskedSignature`s as JSON.
        examples: How the files are read: `ExampleFiles` as JSON.
        columns: What becomes features of output examples: `OutputColumn`s as JSON.
        batch_rows: The most records that the model is asked about at once.
    """

    def __init__(
        self,
        model: str,
        tags: Sequence[str],
        signatures: Sequence[Mapping[str, Any]],
        examples: Mapping[str, Any],
        columns: Sequence[Mapping[str, str]] = (),
        batch_rows: int = _BATCH_ROWS,
    ) -> None:
        self._path = model
        self._tags = tags
        self._signatures = [AskedSignature(**one) for one in signatures]
        self._examples = ExampleFiles.from_json(examples)
        self._columns = [OutputColumn(**one) for one in columns]
        self._batch_rows = batch_rows

    @cached_property
    def _model(self) -> BulkModel:
        """Loaded where the first shard is read, and kept for the others."""
        return BulkModel(self._path, self._tags, self._signatures, self._examples)

    def write(self, shard: Shard, report: ReportUnits) -> Mapping[str, Any]:
        disable_arithmetic_optimizer()
        rows = 0
        with ExitStack() as stack:
            writers = {
                kind: stack.enter_context(_open_whole(shard.config[kind]))
                for kind in (LOGS, EXAMPLES)
                if kind in shard.config
            }
            # While a batch is encoded and written the model is asked about the next one. Entered
            # last: its thread is done before the files are closed.
            behind = stack.enter_context(ThreadPoolExecutor(1))
            written: Future[None] | None = None
            for records in self._batches(shard.config["path"]):
                answers = self._ask(records, rows, shard.name)
                if written is not None:
                    written.result()  # one batch waits at most
                written = behind.submit(self._write, writers, records, answers, rows, shard.name)
                rows += len(records)
                report(len(records))
            if written is not None:
                written.result()
        return {"rows": rows}

    def _batches(self, path: str) -> Iterator[list[bytes]]:
        for records in self._examples.at(path).batches(self._batch_rows):
            pieces = -(-sum(map(len, records)) // _BATCH_BYTES)
            rows = -(-len(records) // max(1, pieces))
            for start in range(0, len(records), rows):
                yield records[start : start + rows]

    def _write(
        self,
        writers: Mapping[str, Callable[[Sequence[bytes]], None]],
        records: Sequence[bytes],
        answers: Sequence[Answer],
        first: int,
        source: str,
    ) -> None:
        for kind, write in writers.items():
            write(self._encode(kind, records, answers, first, source))

    def _ask(self, records: list[bytes], first: int, source: str) -> list[Answer]:
        import tensorflow as tf

        # Not the model's word on a record, but for want of something: the shard is tried again.
        passing = (tf.errors.ResourceExhaustedError, tf.errors.UnavailableError)
        model = self._model  # what is wrong with loading it is not a record's fault
        try:
            return model.ask(records)
        except passing:
            raise
        except (tf.errors.OpError, ValueError) as error:
            start, end = bisect_failure(records, self._fails)
            message = _message_of(error)
            if end - start < len(records):
                try:
                    model.ask(records[start:end])
                except (tf.errors.OpError, ValueError) as own:
                    message = _message_of(own)
            raise InvalidInputError(
                f"{_place(first + start, first + end, source)} cannot be given to the model at "
                f"{self._path}: {message}"
            ) from error

    def _fails(self, records: Sequence[bytes]) -> bool:
        import tensorflow as tf

        try:
            self._model.ask(records)
        except (tf.errors.OpError, ValueError):
            return True
        return False

    def _encode(
        self,
        kind: str,
        records: Sequence[bytes],
        answers: Sequence[Answer],
        first: int,
        source: str,
    ) -> list[bytes]:
        """What is written of a kind; an error names the record."""
        from trainwright.components.bulk_inferrer.output_examples import add_columns
        from trainwright.components.bulk_inferrer.prediction_logs import encode_logs

        encoded: list[bytes] = []
        try:
            made = (
                encode_logs(records, answers)
                if kind == LOGS
                else add_columns(records, answers, self._columns, self._examples.record_format)
            )
            for record in made:  # one by one: how many were made tells which one failed
                encoded.append(record)
        except (DecodeError, FeatureExistsError) as error:
            place = _place(first + len(encoded), first + len(encoded) + 1, source)
            advice = (
                "Choose another output_column in output_example_spec."
                if isinstance(error, FeatureExistsError)
                else "Expected a serialized example of the artifact's payload format."
            )
            raise InvalidInputError(
                f"{place} cannot be written with its prediction: {error}. {advice}"
            ) from error
        except ValueError as error:
            raise InvalidInputError(str(error)) from error
        return encoded


def _message_of(error: Exception) -> str:
    """Of an error of TensorFlow without what it says of its own inside."""
    message = str(getattr(error, "message", None) or error)
    # A graph that was saved has lost where its operations were written.
    _, without_traces, after = message.rpartition("<stack traces unavailable>")
    return (after if without_traces else message).partition("\n\t [[")[0].strip()


def _place(start: int, end: int, source: str) -> str:
    if end - start == 1:
        return f"Record {start} of {source}, counted from 0,"
    return f"Records {start} to {end - 1} of {source}, counted from 0, together"


@contextmanager
def _open_whole(path: str) -> Iterator[Callable[[Sequence[bytes]], None]]:
    """Opens a file of records that has its name only when it is whole."""
    directory, name = os.path.split(path)
    unfinished = os.path.join(directory, f"unfinished-{name}")
    with open_gzip_writer(unfinished) as write:
        yield write
    os.replace(unfinished, path)
