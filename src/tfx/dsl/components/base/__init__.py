"""The base classes of components, a module each."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from tfx.dsl.components.base import base_beam_component as base_beam_component
    from tfx.dsl.components.base import base_beam_executor as base_beam_executor
    from tfx.dsl.components.base import base_component as base_component
    from tfx.dsl.components.base import base_driver as base_driver
    from tfx.dsl.components.base import base_executor as base_executor
    from tfx.dsl.components.base import base_node as base_node
    from tfx.dsl.components.base import executor_spec as executor_spec
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {},
        other_modules=(
            "base_beam_component",
            "base_beam_executor",
            "base_component",
            "base_driver",
            "base_executor",
            "base_node",
            "executor_spec",
        ),
    )
