"""Artifacts, channels and specs, under TFX's older path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from tfx.types import artifact as artifact
    from tfx.types import artifact_property as artifact_property
    from tfx.types import artifact_utils as artifact_utils
    from tfx.types import channel as channel
    from tfx.types import channel_utils as channel_utils
    from tfx.types import component_spec as component_spec
    from tfx.types import experimental as experimental
    from tfx.types import node_common as node_common
    from tfx.types import resolved_channel as resolved_channel
    from tfx.types import standard_artifact_utils as standard_artifact_utils
    from tfx.types import standard_artifacts as standard_artifacts
    from tfx.types import standard_component_specs as standard_component_specs
    from tfx.types import system_artifacts as system_artifacts
    from tfx.types import system_executions as system_executions
    from tfx.types import value_artifact as value_artifact
    from trainwright.types.artifact import Artifact as Artifact
    from trainwright.types.artifact import Property as Property
    from trainwright.types.channel import BaseChannel as BaseChannel
    from trainwright.types.channel import Channel as Channel
    from trainwright.types.channel import ExecPropertyTypes as ExecPropertyTypes
    from trainwright.types.channel import OutputChannel as OutputChannel
    from trainwright.types.component_spec import ComponentSpec as ComponentSpec
    from trainwright.types.value_artifact import ValueArtifact as ValueArtifact
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.types.artifact": (
                "Artifact",
                "Property",
            ),
            "trainwright.types.channel": (
                "BaseChannel",
                "Channel",
                "ExecPropertyTypes",
                "OutputChannel",
            ),
            "trainwright.types.component_spec": ("ComponentSpec",),
            "trainwright.types.value_artifact": ("ValueArtifact",),
        },
        other_modules=(
            "artifact",
            "artifact_property",
            "artifact_utils",
            "channel",
            "channel_utils",
            "component_spec",
            "experimental",
            "node_common",
            "resolved_channel",
            "standard_artifact_utils",
            "standard_artifacts",
            "standard_component_specs",
            "system_artifacts",
            "system_executions",
            "value_artifact",
        ),
    )
