"""PartitionPass: the first of two, which sorts records by the hash of their identifier."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from google.protobuf.message import DecodeError

from trainwright.components.example_diff.record_features import Features, identify, read_features
from trainwright.components.example_diff.spill import SpillWriter
from trainwright.data.example_reading.example_files import ExampleFiles
from trainwright.engine.engine import InvalidInputError
from trainwright.engine.passes import MappingPass, ReportUnits, Shard
from trainwright.proto import example_gen_pb2

if TYPE_CHECKING:
    import pyarrow as pa


class PartitionPass(MappingPass):
    """Writes a spill file for each file of records, and says where in it each partition is.

    A shard's config has the path of a file, that of the spill file as `output`, and as `examples`
    how it is read.

    Args:
        identifiers: The features that identify an example.
        digits: To how many digits floating-point numbers among them are rounded.
        partitions: How many there are.
        confusion: The features whose values are counted, which must be single strings.
    """

    def __init__(
        self, identifiers: Sequence[str], digits: int, partitions: int, confusion: Sequence[str]
    ) -> None:
        self._identifiers = sorted(set(identifiers))
        self._digits = digits
        self._partitions = partitions
        self._confusion = confusion

    def write(self, shard: Shard, report: ReportUnits) -> Mapping[str, Any]:
        examples = ExampleFiles.from_json(shard.config["examples"]).at(shard.config["path"])
        rows = missing = 0
        names: set[str] = set()
        with open(shard.config["output"], "wb") as file:
            spill = SpillWriter(file, self._partitions)
            for records in example_batches(examples):
                for record in records:
                    features = self._read(record, examples, rows, shard.name)
                    if rows < 100:
                        names.update(features)
                    key = identify(features, self._identifiers, self._digits)
                    if key is None:
                        missing += 1
                    else:
                        spill.add(key, record)
                    rows += 1
                report(len(records))
            segments = spill.finish()
        return {"rows": rows, "missing": missing, "segments": segments, "features": sorted(names)}

    def _read(self, record: bytes, examples: ExampleFiles, number: int, source: str) -> Features:
        place = f"Record {number} of {source}, counted from 0,"
        try:
            features = read_features(record, compared_format(examples))
        except DecodeError as error:
            raise InvalidInputError(
                f"{place} cannot be decoded: {error}. Expected a serialized example of the "
                "artifact's payload format."
            ) from error
        for name in self._confusion:
            problem = _why_not_counted(features.get(name))
            if problem:
                raise InvalidInputError(
                    f"{place} has {problem} as {name!r}, whose values are to be counted: expected "
                    "one string. Leave the feature out of confusion_config."
                )
        return features


def _why_not_counted(feature: Any | None) -> str:
    """What a feature has that confusion counts cannot be made of; empty if nothing."""
    if feature is None:
        return ""
    if hasattr(feature, "feature"):
        return "a sequence"
    if feature.int64_list.value:
        return "integers"
    if feature.float_list.value:
        return "floating-point numbers"
    count = len(feature.bytes_list.value)
    return f"{count} strings" if count > 1 else ""


def compared_format(examples: ExampleFiles) -> int:
    """The format of the records that are compared: a DataView's rows become tf.Examples."""
    has_view = examples.data_view is not None
    return int(example_gen_pb2.FORMAT_TF_EXAMPLE if has_view else examples.record_format)


def example_batches(examples: ExampleFiles) -> Iterator[list[bytes]]:
    """Yields records of the format that is compared."""
    if examples.data_view is None:
        yield from examples.batches()
        return
    for batch in examples.arrow_batches():
        yield _encode(batch.batch)


def _encode(batch: pa.RecordBatch) -> list[bytes]:
    """Rows of a DataView as tf.Examples."""
    import pyarrow as pa

    from trainwright.data.example_codec import encode_examples

    columns = []
    for name, column in zip(batch.schema.names, batch.columns, strict=True):
        value_type = getattr(column.type, "value_type", column.type)
        if hasattr(value_type, "value_type"):
            raise InvalidInputError(
                f"The tensor {name!r} of the DataView has several dimensions: expected a list of "
                "values for each example. Leave it out of the DataView that is bound to them."
            )
        wanted = {"l": pa.binary(), "f": pa.float32(), "i": pa.int64()}[_kind(value_type)]
        columns.append(column.cast(pa.list_(wanted)))
    encoded: list[Any] = encode_examples(
        pa.RecordBatch.from_arrays(columns, names=batch.schema.names)
    ).to_pylist()
    return encoded


def _kind(value_type: Any) -> str:
    import pyarrow as pa

    if pa.types.is_floating(value_type):
        return "f"
    return "i" if pa.types.is_integer(value_type) else "l"


def spill_paths(directory: str, count: int) -> list[str]:
    """Where the spill files of a set of examples go."""
    os.makedirs(directory, exist_ok=True)
    return [os.path.join(directory, f"{number:05}") for number in range(count)]
