"""Names to declare pipelines with, under TFX's older paths."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from tfx.dsl import compiler as compiler
    from tfx.dsl import component as component
    from tfx.dsl import components as components
    from tfx.dsl import context_managers as context_managers
    from tfx.dsl import control_flow as control_flow
    from tfx.dsl import experimental as experimental
    from tfx.dsl import input_resolution as input_resolution
    from tfx.dsl import io as io
    from tfx.dsl import placeholder as placeholder
    from tfx.dsl import resolvers as resolvers
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {},
        other_modules=(
            "compiler",
            "component",
            "components",
            "context_managers",
            "control_flow",
            "experimental",
            "input_resolution",
            "io",
            "placeholder",
            "resolvers",
        ),
    )
