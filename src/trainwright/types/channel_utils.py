"""Channels that are looked up, channels in tests, and what is inside of channels."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from trainwright.types.artifact import Artifact
from trainwright.types.channel import BaseChannel, Channel, OutputChannel, UnionChannel
from trainwright.types.pipeline_channels import ExternalPipelineChannel
from trainwright.types.placeholders.artifact_placeholder import ArtifactValue
from trainwright.types.placeholders.channel_placeholder import ChannelWrappedPlaceholder
from trainwright.types.placeholders.placeholder import Placeholder

if TYPE_CHECKING:
    from trainwright.proto.orchestration.placeholder_pb2 import PlaceholderExpression


class ChannelForTesting(BaseChannel):
    """A channel from nowhere, for tests that declare a component and do not run it.

    Two of one artifact type are equal.

    Args:
        artifact_type: The type of the artifacts.
        artifact_ids: The ids of the artifacts, for tests that ask for them.

    >>> from trainwright.types import standard_artifacts
    >>> ChannelForTesting(standard_artifacts.Examples)
    ChannelForTesting(Examples)
    """

    def __init__(self, artifact_type: type[Artifact], artifact_ids: Sequence[int] = ()) -> None:
        super().__init__(artifact_type)
        self.artifact_ids = artifact_ids

    def producers(self) -> Iterable[OutputChannel]:
        return ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ChannelForTesting) and other.type is self.type

    def __hash__(self) -> int:
        return hash(self.type)

    def __repr__(self) -> str:
        return f"ChannelForTesting({self.type_name})"


def unwrap_channel_dict(channel_dict: Mapping[str, Channel]) -> dict[str, list[Artifact]]:
    """The artifacts of every channel, by the channel's key."""
    return {key: channel.get() for key, channel in channel_dict.items()}


def get_individual_channels(input_channel: BaseChannel) -> list[Channel]:
    """The plain channels that a channel is made of."""
    if isinstance(input_channel, Channel):
        return [input_channel]
    if isinstance(input_channel, UnionChannel):
        return [one for one in input_channel.channels if isinstance(one, Channel)]
    raise TypeError(
        f"Unsupported Channel type: {type(input_channel)}. {input_channel!r} is not made of plain "
        "channels."
    )


def artifact_query(
    artifact_type: type[Artifact],
    *,
    producer_component_id: str | None = None,
    output_key: str | None = None,
) -> Channel:
    """A channel for a Resolver: what earlier runs have made, of one type.

    `producer_component_id` keeps what one node has made, `output_key` what it has made as one
    output.
    """
    if output_key is not None and producer_component_id is None:
        raise ValueError("producer_component_id must be set to use output_key.")
    return Channel(
        artifact_type, producer_component_id=producer_component_id, output_key=output_key
    )


def external_pipeline_artifact_query(
    artifact_type: type[Artifact],
    *,
    owner: str,
    pipeline_name: str,
    producer_component_id: str,
    output_key: str,
    pipeline_run_id: str = "",
) -> ExternalPipelineChannel:
    """A channel for what a node of another pipeline has made."""
    if not owner or not pipeline_name:
        raise ValueError("owner or pipeline_name is missing.")
    return ExternalPipelineChannel(
        artifact_type,
        owner=owner,
        pipeline_name=pipeline_name,
        producer_component_id=producer_component_id,
        output_key=output_key,
        pipeline_run_id=pipeline_run_id,
    )


def get_dependent_channels(placeholder: Placeholder) -> Iterator[BaseChannel]:
    """The channels whose artifacts a placeholder looks at."""
    yield from placeholder.channels()


def unwrap_simple_channel_placeholder(placeholder: Placeholder) -> BaseChannel:
    """The channel of `channel.future()[0].value`; raises ValueError for any other placeholder."""
    parts = list(placeholder.traverse())
    is_value = len(parts) == 2 and isinstance(parts[0], ArtifactValue)
    artifact = parts[-1]
    if not (is_value and isinstance(artifact, ChannelWrappedPlaceholder) and not artifact._index):
        raise ValueError(
            f"Expected placeholder of shape somechannel.future()[0].value, but got {placeholder}."
        )
    return artifact.channel


def encode_placeholder_with_channels(
    placeholder: Placeholder, channel_to_key_fn: Callable[[BaseChannel], str]
) -> PlaceholderExpression:
    """A placeholder's message, with the keys under which a node reads the channels in it."""
    wrapped = [
        part for part in placeholder.traverse() if isinstance(part, ChannelWrappedPlaceholder)
    ]
    for part in wrapped:
        part.set_key(channel_to_key_fn(part.channel))
    try:
        return placeholder.encode()
    finally:  # another node may read the same channel under another key
        for part in wrapped:
            part.set_key(None)
