"""The base classes of nodes and channels, and the standard artifact types."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from tfx.v1.types import standard_artifacts as standard_artifacts
    from trainwright.dsl.base_component import BaseComponent as BaseComponent
    from trainwright.dsl.base_node import BaseNode as BaseNode
    from trainwright.dsl.function_component import (
        BaseFunctionalComponent as BaseFunctionalComponent,
    )
    from trainwright.dsl.function_component import (
        BaseFunctionalComponentFactory as BaseFunctionalComponentFactory,
    )
    from trainwright.types.channel import BaseChannel as BaseChannel
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "BaseChannel": "trainwright.types.channel:BaseChannel",
            "BaseComponent": "trainwright.dsl.base_component:BaseComponent",
            "BaseFunctionalComponent": (
                "trainwright.dsl.function_component:BaseFunctionalComponent"
            ),
            "BaseFunctionalComponentFactory": (
                "trainwright.dsl.function_component:BaseFunctionalComponentFactory"
            ),
            "BaseNode": "trainwright.dsl.base_node:BaseNode",
            "standard_artifacts": "tfx.v1.types.standard_artifacts",
        },
        missing=("BaseBeamComponent",),
    )
