"""DataViews: decoders, saved as TensorFlow graphs, that are bound to examples of other messages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from trainwright._imports import require
from trainwright.proto import example_gen_pb2
from trainwright.types.artifact import Artifact
from trainwright.types.payload_format import get_common_payload_format
from trainwright.types.standard_artifacts import Examples

# Custom properties of examples to which a DataView is bound.
DATA_VIEW_URI_PROPERTY_KEY = "data_view_uri"
DATA_VIEW_CREATE_TIME_KEY = "data_view_create_time_since_epoch"


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


def load_decoder(examples: Sequence[Artifact]) -> Callable[[Any], dict[str, Any]] | None:
    """The decoder of the DataView of artifacts, from a tensor of records to tensors; or None."""
    _, uri = resolve_payload_format_and_data_view_uri(examples)
    if uri is None:
        return None
    decoders = require("tfx_bsl.coders.tf_graph_record_decoder", extra="transform")
    decode: Callable[[Any], dict[str, Any]] = decoders.load_decoder(uri).decode_record
    return decode


def _create_time(examples: Artifact) -> int:
    # A string; artifacts of older versions have a number.
    return int(examples.get_custom_property(DATA_VIEW_CREATE_TIME_KEY) or 0)
