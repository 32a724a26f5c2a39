"""`trainwright.types.channel` under TFX's path."""

from trainwright.types.channel import BaseChannel as BaseChannel
from trainwright.types.channel import Channel as Channel
from trainwright.types.channel import OptionalChannel as OptionalChannel
from trainwright.types.channel import OutputChannel as OutputChannel
from trainwright.types.channel import UnionChannel as UnionChannel
from trainwright.types.channel import union as union
from trainwright.types.channel_placeholder import (
    ChannelWrappedPlaceholder as ChannelWrappedPlaceholder,
)
