"""What pipelines are declared with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from tfx.v1.dsl import components as components
    from tfx.v1.dsl import experimental as experimental
    from tfx.v1.dsl import io as io
    from tfx.v1.dsl import placeholders as placeholders
    from tfx.v1.dsl import standard_annotations as standard_annotations
    from trainwright.dsl.conditional import Cond as Cond
    from trainwright.dsl.importer import Importer as Importer
    from trainwright.dsl.pipeline import ExecutionMode as ExecutionMode
    from trainwright.dsl.pipeline import Pipeline as Pipeline
    from trainwright.dsl.resolver import Resolver as Resolver
    from trainwright.types.artifact import Artifact as Artifact
    from trainwright.types.channel import Channel as Channel
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "Artifact": "trainwright.types.artifact:Artifact",
            "Channel": "trainwright.types.channel:Channel",
            "Cond": "trainwright.dsl.conditional:Cond",
            "ExecutionMode": "trainwright.dsl.pipeline:ExecutionMode",
            "Importer": "trainwright.dsl.importer:Importer",
            "Pipeline": "trainwright.dsl.pipeline:Pipeline",
            "Resolver": "trainwright.dsl.resolver:Resolver",
            "components": "tfx.v1.dsl.components",
            "experimental": "tfx.v1.dsl.experimental",
            "io": "tfx.v1.dsl.io",
            "placeholders": "tfx.v1.dsl.placeholders",
            "standard_annotations": "tfx.v1.dsl.standard_annotations",
        },
    )
