"""What is done with channels, under TFX's names."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.types.channel import as_channel as as_channel
    from trainwright.types.channel import union as union
    from trainwright.types.channel_utils import ChannelForTesting as ChannelForTesting
    from trainwright.types.channel_utils import get_individual_channels as get_individual_channels
    from trainwright.types.channel_utils import unwrap_channel_dict as unwrap_channel_dict
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.types.channel": (
                "as_channel",
                "union",
            ),
            "trainwright.types.channel_utils": (
                "ChannelForTesting",
                "get_individual_channels",
                "unwrap_channel_dict",
            ),
        },
    )
