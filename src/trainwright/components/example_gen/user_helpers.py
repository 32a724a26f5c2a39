"""Helpers for code around an ExampleGen: default configs, split names, spans, property names."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from trainwright.components.example_gen import split_config
from trainwright.components.example_gen.driver import INPUT_FINGERPRINT, SPAN, VERSION
from trainwright.components.example_gen.input_files import find_input_files, fingerprint
from trainwright.components.example_gen.input_processor import SPAN_END_TIMESTAMP, InputSplit
from trainwright.components.example_gen.span_patterns import SpanPattern
from trainwright.components.example_gen.span_range import make_span_range
from trainwright.components.example_gen.split_config import InputLike, OutputLike
from trainwright.proto import example_gen_pb2, range_config_pb2
from trainwright.types.payload_format import FILE_FORMAT, PAYLOAD_FORMAT

# Custom properties of an Examples artifact.
PAYLOAD_FORMAT_PROPERTY_NAME = PAYLOAD_FORMAT
FILE_FORMAT_PROPERTY_NAME = FILE_FORMAT
FINGERPRINT_PROPERTY_NAME = INPUT_FINGERPRINT
SPAN_PROPERTY_NAME = SPAN
VERSION_PROPERTY_NAME = VERSION

# Placeholders in the patterns of input splits, and regular expressions that find them.
SPAN_SPEC = "{SPAN}"
SPAN_SPEC_WIDTH_REGEX = "{SPAN:(?P<width>.*?)}"
SPAN_FULL_REGEX = f"{SPAN_SPEC}|{SPAN_SPEC_WIDTH_REGEX}"
VERSION_SPEC = "{VERSION}"
VERSION_SPEC_WIDTH_REGEX = "{VERSION:(?P<width>.*?)}"
VERSION_FULL_REGEX = f"{VERSION_SPEC}|{VERSION_SPEC_WIDTH_REGEX}"
YEAR_SPEC = "{YYYY}"
MONTH_SPEC = "{MM}"
DAY_SPEC = "{DD}"
DATE_SPECS = [YEAR_SPEC, MONTH_SPEC, DAY_SPEC]

# How the files of examples begin, and where Beam counts what is written.
DEFAULT_PARQUET_FILE_NAME = "data_parquet"
DEFAULT_TF_RECORD_FILE_NAME = "data_tfrecord"
METRICS_NAMESPACE = "tfx.ExampleGen"

# TFX's spelling.
SPAN_END_TIMESTMAP = SPAN_END_TIMESTAMP
UNIX_EPOCH_DATE = datetime.datetime(1970, 1, 1)


def make_default_input_config(split_pattern: str = "*") -> example_gen_pb2.Input:
    """An input config with one split, of the files that match a pattern.

    >>> make_default_input_config("*.csv").splits[0].pattern
    '*.csv'
    """
    return split_config.make_input_config(
        {"splits": [{"name": "single_split", "pattern": split_pattern}]}
    )


def make_default_output_config(input_config: InputLike) -> example_gen_pb2.Output:
    """The output config that is used where none is given: train and eval, or the input's splits.

    A dict may have runtime parameters in its place: only the number of splits counts.
    """
    if len(_fields(input_config, example_gen_pb2.Input()).get("splits", ())) > 1:
        return example_gen_pb2.Output()
    return split_config.make_output_config(make_default_input_config(), None)


def generate_output_split_names(input_config: InputLike, output_config: OutputLike) -> list[Any]:
    """The names of the splits that an ExampleGen with these configs writes.

    In configs that are dicts a name may be a runtime parameter; it is then among the names.

    Raises:
        RuntimeError: if both configs have several splits, a name, pattern or number of buckets is
            missing, or a name is used twice.

    >>> generate_output_split_names(make_default_input_config(), {"split_config": {"splits": [
    ...     {"name": "train", "hash_buckets": 4}, {"name": "eval", "hash_buckets": 1}]}})
    ['train', 'eval']
    """
    inputs = _fields(input_config, example_gen_pb2.Input()).get("splits", ())
    given = _fields(output_config, example_gen_pb2.Output())
    outputs = (given.get("split_config") or {}).get("splits", ())
    if outputs:
        _check_output_splits(inputs, outputs)
    elif not all(split.get("name") and split.get("pattern") for split in inputs):
        raise RuntimeError("Str-typed input split name and pattern are required.")
    names = [split["name"] for split in outputs or inputs]
    if not names:
        raise RuntimeError("ExampleGen splits are missing.")
    if any(name in names[:position] for position, name in enumerate(names)):
        raise RuntimeError(f"Duplicated split name {names}.")
    return names


def verify_split_pattern_specs(split: InputSplit) -> tuple[bool, bool, bool]:
    """Whether the pattern of a split has a span, a date, and a version.

    Raises:
        ValueError: if the placeholders contradict each other.

    >>> verify_split_pattern_specs(InputSplit(name="all", pattern="day{SPAN}/*"))
    (True, False, False)
    """
    pattern = SpanPattern.parse(split.pattern)
    return pattern.has_span, pattern.has_date, pattern.has_version


def get_pattern_for_span_version(
    pattern: str,
    is_match_span: bool,
    is_match_date: bool,
    is_match_version: bool,
    span: int,
    version: int | None,
) -> str:
    """A pattern with a span and a version filled in, in the widths that it says.

    Args:
        pattern: The pattern.
        is_match_span: Whether `{SPAN}` is filled in.
        is_match_date: Whether the date is filled in, if not `{SPAN}`.
        is_match_version: Whether `{VERSION}` is filled in.
        span: The span.
        version: The version.
    """
    parsed = SpanPattern.parse(pattern)
    filled = {
        "SPAN": is_match_span,
        "VERSION": is_match_version,
        **dict.fromkeys(("YYYY", "MM", "DD"), is_match_date and not is_match_span),
    }
    return parsed.fill_numbers(span, version, only=[name for name in filled if filled[name]])


def calculate_splits_fingerprint_span_and_version(
    input_base_uri: str,
    splits: Iterable[InputSplit],
    range_config: range_config_pb2.RangeConfig | None = None,
) -> tuple[str, int, int | None]:
    """The fingerprint of the files of splits, their span (0 without one) and version (or None).

    Fills span and version into the patterns of the splits that it is given.

    Raises:
        ValueError: if no span fits, or the splits have different ones.
    """
    given = list(splits)
    found = find_input_files(
        input_base_uri,
        example_gen_pb2.Input(splits=given),
        None if range_config is None else make_span_range(range_config),
    )
    for split, filled in zip(given, found.config.splits, strict=True):
        split.pattern = filled.pattern
    return fingerprint(found.files), found.span, found.version


def to_file_format_str(file_format: int) -> str:
    """The name of a file format as the artifact's property `file_format` holds it.

    Raises:
        ValueError: if examples are not written in this format.
    """
    if file_format in (
        example_gen_pb2.FILE_FORMAT_UNSPECIFIED,
        example_gen_pb2.FORMAT_TFRECORDS_GZIP,
    ):
        return "tfrecords_gzip"
    raise ValueError(
        f"File format is not valid. Expected FORMAT_TFRECORDS_GZIP, got {file_format}."
    )


def _check_output_splits(inputs: Sequence[Any], outputs: Sequence[Any]) -> None:
    if not inputs:
        raise RuntimeError(
            "ExampleGen instance specified output splits but no input split is specified."
        )
    if len(inputs) != 1:
        raise RuntimeError(
            "ExampleGen instance specified output splits but at the same time input has more than "
            "one split. Leave out the one or the other."
        )
    for split in outputs:
        buckets = split.get("hash_buckets", 0)
        if not split.get("name") or (isinstance(buckets, int) and buckets <= 0):
            raise RuntimeError(
                "Str-typed output split name and int-typed hash buckets are required."
            )


def _fields(config: Any, message: Any) -> Mapping[str, Any]:
    """A config as a dict; one that is a dict already may hold runtime parameters."""
    if isinstance(config, Mapping):
        return config
    from google.protobuf.json_format import MessageToDict

    parsed = split_config.parse_config(config, message)
    return MessageToDict(parsed, preserving_proto_field_name=True)
