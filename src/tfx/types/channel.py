"""`trainwright.types.channel` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.types.channel import BaseChannel as BaseChannel
    from trainwright.types.channel import Channel as Channel
    from trainwright.types.channel import OptionalChannel as OptionalChannel
    from trainwright.types.channel import OutputChannel as OutputChannel
    from trainwright.types.channel import UnionChannel as UnionChannel
    from trainwright.types.channel import union as union
    from trainwright.types.channel_placeholder import (
        ChannelWrappedPlaceholder as ChannelWrappedPlaceholder,
    )
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.types.channel": (
                "BaseChannel",
                "Channel",
                "OptionalChannel",
                "OutputChannel",
                "UnionChannel",
                "union",
            ),
            "trainwright.types.channel_placeholder": ("ChannelWrappedPlaceholder",),
        },
    )
