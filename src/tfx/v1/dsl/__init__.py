"""Names to declare pipelines with."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

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
            "trainwright.dsl.conditional": ("Cond",),
            "trainwright.dsl.importer": ("Importer",),
            "trainwright.dsl.pipeline": (
                "ExecutionMode",
                "Pipeline",
            ),
            "trainwright.dsl.resolver": ("Resolver",),
            "trainwright.types.artifact": ("Artifact",),
            "trainwright.types.channel": ("Channel",),
        },
        public_modules=("components", "experimental", "io", "placeholders", "standard_annotations"),
    )
