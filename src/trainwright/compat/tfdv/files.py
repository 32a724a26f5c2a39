"""Statistics, schemas and anomalies from files and to files."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable
from typing import Any, TypeAlias, TypeVar

from google.protobuf import text_format
from google.protobuf.message import DecodeError, Message
from tensorflow_metadata.proto.v0 import anomalies_pb2, schema_pb2, statistics_pb2

from trainwright.compat.tfdv.statistics_views import DatasetListView

_MessageT = TypeVar("_MessageT", bound=Message)
_Statistics: TypeAlias = statistics_pb2.DatasetFeatureStatisticsList


def load_stats_binary(input_path: str) -> _Statistics:
    """Statistics from a binary file, as StatisticsGen writes it (`FeatureStats.pb`)."""
    return _read_binary(input_path, _Statistics())


def load_stats_text(input_path: str) -> _Statistics:
    """Statistics from a text file."""
    return _read_text(input_path, _Statistics())


def load_stats_tfrecord(input_path: str) -> _Statistics:
    """Statistics from a TFRecord file with one record."""
    from trainwright.data.tfrecord import read_records

    for record in read_records(input_path):
        return _Statistics.FromString(record)
    raise ValueError(f"{input_path!r} has no records.")


def load_statistics(input_path: str) -> _Statistics:
    """Statistics from a file of any of the forms: binary, TFRecord or text.

    Raises:
        OSError: if there is no such file.
        ParseError: if the file has none of these forms.
    """
    if not os.path.exists(input_path):
        raise OSError(f"Invalid input path {input_path}.")
    # Bytes can parse as another form by chance; statistics without a dataset are none.
    for load in (load_stats_binary, load_stats_tfrecord):
        try:
            statistics = load(input_path)
        except (DecodeError, ValueError):
            continue
        if statistics.datasets:
            return statistics
    return load_stats_text(input_path)


def write_stats_text(stats: _Statistics, output_path: str) -> None:
    """Writes statistics as text."""
    _write_text(stats, output_path, _Statistics)


def default_sharded_output_supported() -> bool:
    """No: the statistics of a split are one file."""
    return False


def default_sharded_output_suffix() -> str:
    """The ending of the files of sharded statistics, as TFDV has it."""
    return ".tfrecords"


def load_sharded_statistics(
    input_path_prefix: str | None = None,
    input_paths: Iterable[str] | None = None,
    io_provider: Any | None = None,
) -> DatasetListView:
    """Statistics in several TFRecord files, the features of which are put together.

    Args:
        input_path_prefix: What the names of the files begin with.
        input_paths: Instead: the files.
        io_provider: TFDV's way to read other files; refused.
    """
    if (input_path_prefix is None) == (input_paths is None):
        raise ValueError("Must provide one of input_paths_prefix, input_paths.")
    if io_provider is not None:
        raise ValueError("io_provider is TFDV's own; sharded statistics are read from TFRecord.")
    if input_path_prefix is not None:
        paths = sorted(glob.glob(f"{glob.escape(input_path_prefix)}-*-of-*"))
    else:
        paths = list(input_paths or ())
    if not paths:
        raise ValueError(f"No input paths found paths={paths}, pattern={input_path_prefix}")
    return DatasetListView(_merge_shards(paths))


def _merge_shards(paths: Iterable[str]) -> _Statistics:
    from trainwright.data.tfrecord import read_records

    datasets: dict[str, statistics_pb2.DatasetFeatureStatistics] = {}
    for path in paths:
        for record in read_records(path):
            for shard in _Statistics.FromString(record).datasets:
                merged = datasets.setdefault(shard.name, statistics_pb2.DatasetFeatureStatistics())
                # Numbers replace each other, features are added.
                merged.MergeFrom(shard)
    return _Statistics(datasets=list(datasets.values()))


def load_schema_text(input_path: str) -> schema_pb2.Schema:
    """A schema from a text file (`schema.pbtxt`)."""
    return _read_text(input_path, schema_pb2.Schema())


def write_schema_text(schema: schema_pb2.Schema, output_path: str) -> None:
    """Writes a schema as text."""
    _write_text(schema, output_path, schema_pb2.Schema)


def load_anomalies_text(input_path: str) -> anomalies_pb2.Anomalies:
    """Anomalies from a text file."""
    return _read_text(input_path, anomalies_pb2.Anomalies())


def load_anomalies_binary(input_path: str) -> anomalies_pb2.Anomalies:
    """Anomalies from a binary file, as ExampleValidator writes it (`SchemaDiff.pb`)."""
    return _read_binary(input_path, anomalies_pb2.Anomalies())


def write_anomalies_text(anomalies: anomalies_pb2.Anomalies, output_path: str) -> None:
    """Writes anomalies as text."""
    _write_text(anomalies, output_path, anomalies_pb2.Anomalies)


def _read_text(path: str, message: _MessageT) -> _MessageT:
    """Reads a text file; errors name it, and keep the type that programs for TFDV expect."""
    with open(path, "rb") as file:
        content = file.read()
    kind = message.DESCRIPTOR.name
    try:
        return text_format.Parse(content.decode("utf-8"), message)
    except UnicodeDecodeError as error:
        raise text_format.ParseError(
            f"{path!r} is not {kind} in text form: it is not UTF-8 text ({error})."
        ) from None
    except text_format.ParseError as error:
        raise text_format.ParseError(
            f"{path!r} is not {kind} in text form: {error}",
            line=error.GetLine(),
            column=error.GetColumn(),
        ) from None


def _read_binary(path: str, message: _MessageT) -> _MessageT:
    """Reads a binary file; errors name it."""
    with open(path, "rb") as file:
        content = file.read()
    try:
        message.ParseFromString(content)
    except DecodeError as error:
        kind = message.DESCRIPTOR.name
        raise DecodeError(f"{path!r} is not {kind} in binary form, or is cut short.") from error
    return message


def _write_text(message: Message, path: str, expected: type[Message]) -> None:
    if not isinstance(message, expected):
        raise TypeError(
            f"{type(message).__name__} was given to write; expected a {expected.__name__} proto."
        )
    write_file(path, text_format.MessageToString(message, as_utf8=True).encode())


def write_file(path: str, content: bytes) -> None:
    """Writes a file as a whole: a schema that was edited is not lost to a full disk or a kill."""
    target = os.path.realpath(path)
    os.makedirs(os.path.dirname(target), exist_ok=True)
    # Devices, and files in directories that may not be written to, can only be written in place.
    in_place = os.path.exists(target) and (
        not os.path.isfile(target) or not os.access(os.path.dirname(target), os.W_OK)
    )
    aside = target if in_place else f"{target}.new"
    with open(aside, "wb") as file:
        file.write(content)
    if not in_place:
        os.replace(aside, target)
