"""Artifacts, channels and specs, under TFX's older path."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.types.artifact import Artifact as Artifact
    from trainwright.types.artifact import Property as Property
    from trainwright.types.channel import BaseChannel as BaseChannel
    from trainwright.types.channel import Channel as Channel
    from trainwright.types.channel import OutputChannel as OutputChannel
    from trainwright.types.component_spec import ComponentSpec as ComponentSpec
    from trainwright.types.value_artifact import ValueArtifact as ValueArtifact
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "Artifact": "trainwright.types.artifact:Artifact",
            "BaseChannel": "trainwright.types.channel:BaseChannel",
            "Channel": "trainwright.types.channel:Channel",
            "ComponentSpec": "trainwright.types.component_spec:ComponentSpec",
            "OutputChannel": "trainwright.types.channel:OutputChannel",
            "Property": "trainwright.types.artifact:Property",
            "ValueArtifact": "trainwright.types.value_artifact:ValueArtifact",
        },
    )
