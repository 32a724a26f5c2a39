"""What is done with channels, under TFX's names."""

from typing import TYPE_CHECKING

from tfx._names import missing_names
from trainwright.types.channel import as_channel as as_channel
from trainwright.types.channel import union as union
from trainwright.types.channel_utils import ChannelForTesting as ChannelForTesting
from trainwright.types.channel_utils import get_individual_channels as get_individual_channels
from trainwright.types.channel_utils import unwrap_channel_dict as unwrap_channel_dict

if not TYPE_CHECKING:
    __getattr__ = missing_names(
        __name__,
        (
            "artifact_query",
            "encode_placeholder_with_channels",
            "external_pipeline_artifact_query",
            "get_dependent_channels",
        ),
    )
