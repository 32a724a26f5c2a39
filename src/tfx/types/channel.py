"""Channels of every kind, under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.types.old_union import union as union
    from trainwright.types.channel import BaseChannel as BaseChannel
    from trainwright.types.channel import Channel as Channel
    from trainwright.types.channel import ExecPropertyTypes as ExecPropertyTypes
    from trainwright.types.channel import NoTrigger as NoTrigger
    from trainwright.types.channel import OutputChannel as OutputChannel
    from trainwright.types.channel import PropertyValue as _Property_
    from trainwright.types.channel import TriggerByProperty as TriggerByProperty
    from trainwright.types.channel import UnionChannel as UnionChannel
    from trainwright.types.pipeline_channels import (
        ExternalPipelineChannel as ExternalPipelineChannel,
    )
    from trainwright.types.pipeline_channels import PipelineInputChannel as PipelineInputChannel
    from trainwright.types.pipeline_channels import PipelineOutputChannel as PipelineOutputChannel
    from trainwright.types.placeholders.channel_placeholder import (
        ChannelWrappedPlaceholder as ChannelWrappedPlaceholder,
    )

    Property = _Property_
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.types.old_union": ("union",),
            "trainwright.types.channel": (
                "BaseChannel",
                "Channel",
                "ExecPropertyTypes",
                "NoTrigger",
                "OutputChannel",
                "PropertyValue as Property",
                "TriggerByProperty",
                "UnionChannel",
            ),
            "trainwright.types.placeholders.channel_placeholder": ("ChannelWrappedPlaceholder",),
            "trainwright.types.pipeline_channels": (
                "ExternalPipelineChannel",
                "PipelineInputChannel",
                "PipelineOutputChannel",
            ),
        },
    )
