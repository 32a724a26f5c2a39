"""Payload formats: the kind of records in an Examples artifact, and what decodes them."""

from __future__ import annotations

from collections.abc import Sequence

from trainwright.proto import example_gen_pb2
from trainwright.types.artifact import Artifact
from trainwright.types.standard_artifacts import Examples

PAYLOAD_FORMAT = "payload_format"
FILE_FORMAT = "file_format"
# Custom properties of examples to which a DataView is bound.
DATA_VIEW_URI_PROPERTY_KEY = "data_view_uri"
DATA_VIEW_CREATE_TIME_KEY = "data_view_create_time_since_epoch"
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


def get_data_view_uri(examples: Artifact) -> str | None:
    """The uri of the DataView that is bound to an Examples artifact, or None.

    Raises:
        AssertionError: if the artifact is not of type Examples, as in TFX.
    """
    if examples.type_name != Examples.TYPE_NAME:
        raise AssertionError(
            f"examples must be of type standard_artifacts.Examples, got {examples.type_name}"
        )
    return examples.get_string_custom_property(DATA_VIEW_URI_PROPERTY_KEY) or None


def resolve_payload_format_and_data_view_uri(
    examples: Sequence[Artifact],
) -> tuple[int, str | None]:
    """The payload format of artifacts, and the newest DataView that is bound to them, if any.

    Raises:
        AssertionError: if there are no artifacts, as in TFX.
        ValueError: if they have different formats, or only some of them have a DataView.
    """
    if not examples:
        raise AssertionError("At least one Examples artifact is needed.")
    payload_format = get_common_payload_format(examples)
    if payload_format != example_gen_pb2.FORMAT_PROTO:
        return payload_format, None
    unbound = [artifact for artifact in examples if get_data_view_uri(artifact) is None]
    if len(unbound) == len(examples):
        return payload_format, None
    if unbound:
        raise ValueError(
            "Unable to resolve a DataView for the Examples Artifacts provided -- some Artifacts "
            f"did not have DataView attached: {unbound}"
        )
    return payload_format, get_data_view_uri(max(examples, key=_create_time))


def _create_time(examples: Artifact) -> int:
    # A string; artifacts of older versions have a number.
    return int(examples.get_custom_property(DATA_VIEW_CREATE_TIME_KEY) or 0)
