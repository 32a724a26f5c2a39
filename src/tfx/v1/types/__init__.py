"""The base classes of nodes and channels, and the standard artifact types."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from tfx.v1.types import standard_artifacts as standard_artifacts
    from trainwright.dsl.base_beam_component import BaseBeamComponent as BaseBeamComponent
    from trainwright.dsl.base_component import BaseComponent as BaseComponent
    from trainwright.dsl.base_node import BaseNode as BaseNode
    from trainwright.dsl.function_component import (
        BaseFunctionalComponent as BaseFunctionalComponent,
    )
    from trainwright.dsl.function_component import (
        BaseFunctionalComponentFactory as BaseFunctionalComponentFactory,
    )
    from trainwright.types.artifact import Artifact as Artifact
    from trainwright.types.channel import BaseChannel as BaseChannel
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.dsl.base_beam_component": ("BaseBeamComponent",),
            "trainwright.dsl.base_component": ("BaseComponent",),
            "trainwright.dsl.base_node": ("BaseNode",),
            "trainwright.dsl.function_component": (
                "BaseFunctionalComponent",
                "BaseFunctionalComponentFactory",
            ),
            "trainwright.types.artifact": ("Artifact",),
            "trainwright.types.channel": ("BaseChannel",),
        },
        public_modules=("standard_artifacts",),
    )
