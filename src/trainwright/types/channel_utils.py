"""Channels in tests, and what is inside of channels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from trainwright.types.artifact import Artifact
from trainwright.types.channel import (
    BaseChannel,
    Channel,
    OptionalChannel,
    OutputChannel,
    UnionChannel,
)


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
    if isinstance(input_channel, OptionalChannel):
        return get_individual_channels(input_channel.channel)
    if isinstance(input_channel, UnionChannel):
        return [part for one in input_channel.channels for part in get_individual_channels(one)]
    raise TypeError(f"{input_channel!r} is not made of plain channels.")
