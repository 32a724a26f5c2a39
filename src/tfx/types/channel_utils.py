"""Helpers for channels, under TFX's names."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.types.channel import as_channel as as_channel
    from trainwright.types.channel import union as union
    from trainwright.types.channel_utils import ChannelForTesting as ChannelForTesting
    from trainwright.types.channel_utils import artifact_query as artifact_query
    from trainwright.types.channel_utils import (
        encode_placeholder_with_channels as encode_placeholder_with_channels,
    )
    from trainwright.types.channel_utils import (
        external_pipeline_artifact_query as external_pipeline_artifact_query,
    )
    from trainwright.types.channel_utils import get_dependent_channels as get_dependent_channels
    from trainwright.types.channel_utils import get_individual_channels as get_individual_channels
    from trainwright.types.channel_utils import unwrap_channel_dict as unwrap_channel_dict
    from trainwright.types.channel_utils import (
        unwrap_simple_channel_placeholder as unwrap_simple_channel_placeholder,
    )
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
                "artifact_query",
                "encode_placeholder_with_channels",
                "external_pipeline_artifact_query",
                "get_dependent_channels",
                "get_individual_channels",
                "unwrap_channel_dict",
                "unwrap_simple_channel_placeholder",
            ),
        },
    )
