"""`tfx.components.util.examples_utils`: the formats and files of an Examples artifact."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence

from trainwright.proto import example_gen_pb2
from trainwright.types import payload_format as formats
from trainwright.types.artifact import Artifact
from trainwright.types.splits import get_split_uri
from trainwright.types.standard_artifacts import Examples

CUSTOM_SPLIT_PATTERN_PROPERTY_NAME = "custom_split_pattern"

_DEFAULT_FILE_FORMAT = "tfrecords_gzip"


def get_payload_format(examples: Artifact) -> int:
    """What the records are, of `PayloadFormat`; tf.Examples where nothing is noted.

    Raises:
        AssertionError: if the artifact is not of type Examples, as in TFX.
    """
    _check_type(examples)
    return formats.get_payload_format(examples)


def get_payload_format_string(examples: Artifact) -> str:
    """The name of the payload format, such as `FORMAT_TF_EXAMPLE`."""
    return str(example_gen_pb2.PayloadFormat.Name(get_payload_format(examples)))


def set_payload_format(examples: Artifact, payload_format: int) -> None:
    """Notes what the records are."""
    _check_type(examples)
    formats.set_payload_format(examples, payload_format)


def get_file_format(examples: Artifact) -> str:
    """What the files are, by TFX's name; gzip TFRecords where nothing is noted."""
    _check_type(examples)
    return examples.get_string_custom_property(formats.FILE_FORMAT) or _DEFAULT_FILE_FORMAT


def set_file_format(examples: Artifact, file_format: str) -> None:
    """Notes what the files are."""
    _check_type(examples)
    examples.set_string_custom_property(formats.FILE_FORMAT, file_format)


def get_custom_split_patterns_key_and_property(
    split_to_pattern: Mapping[str, str],
) -> tuple[str, str]:
    """The custom property, name and value, that says where splits are below the artifact's uri.

    >>> get_custom_split_patterns_key_and_property({"train": "day1/train-*"})
    ('custom_split_pattern', '{"train": "day1/train-*"}')
    """
    return CUSTOM_SPLIT_PATTERN_PROPERTY_NAME, json.dumps(dict(split_to_pattern))


def get_split_file_patterns(artifacts: Sequence[Artifact], split: str) -> list[str]:
    """The pattern of a split's files in each artifact.

    Raises:
        ValueError: if an artifact does not have the split.
    """
    return [
        _custom_pattern(artifact, split) or os.path.join(get_split_uri([artifact], split), "*")
        for artifact in artifacts
    ]


def _custom_pattern(examples: Artifact, split: str) -> str | None:
    encoded = examples.get_string_custom_property(CUSTOM_SPLIT_PATTERN_PROPERTY_NAME)
    if not encoded:
        return None
    patterns = json.loads(encoded)
    if split not in patterns:
        raise ValueError(
            f"Missing split {split} for artifact with custom split pattern properties: it has "
            f"{', '.join(patterns) or 'none'}"
        )
    return os.path.join(examples.uri, patterns[split])


def _check_type(examples: Artifact) -> None:
    if examples.type_name != Examples.TYPE_NAME:
        raise AssertionError(
            f"examples must be of type standard_artifacts.Examples, got {examples.type_name}"
        )
