"""Payload formats: the kind of records in an Examples artifact."""

from __future__ import annotations

from collections.abc import Sequence

from trainwright.proto import example_gen_pb2
from trainwright.types.artifact import Artifact

PAYLOAD_FORMAT = "payload_format"
FILE_FORMAT = "file_format"
DEFAULT_PAYLOAD_FORMAT: int = example_gen_pb2.FORMAT_TF_EXAMPLE


def set_payload_format(artifact: Artifact, payload_format: int) -> None:
    """Notes the format in the artifact's custom properties, by its name."""
    name = example_gen_pb2.PayloadFormat.Name(payload_format)
    artifact.set_string_custom_property(PAYLOAD_FORMAT, name)


def get_payload_format(artifact: Artifact) -> int:
    """The format of one artifact; tf.Example where none is noted."""
    name = artifact.get_string_custom_property(PAYLOAD_FORMAT)
    return int(example_gen_pb2.PayloadFormat.Value(name)) if name else DEFAULT_PAYLOAD_FORMAT


def get_common_payload_format(artifacts: Sequence[Artifact]) -> int:
    """The format that all the artifacts share."""
    formats = {get_payload_format(artifact) for artifact in artifacts}
    if len(formats) > 1:
        names = sorted(example_gen_pb2.PayloadFormat.Name(value) for value in formats)
        raise ValueError(
            "Unable to read example artifacts of different payload formats: " + ", ".join(names)
        )
    return formats.pop() if formats else DEFAULT_PAYLOAD_FORMAT
