"""Components made from functions."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from tfx.dsl.component.experimental import annotations as annotations
    from tfx.dsl.component.experimental import component_utils as component_utils
    from tfx.dsl.component.experimental import container_component as container_component
    from tfx.dsl.component.experimental import decorators as decorators
    from tfx.dsl.component.experimental import executor_specs as executor_specs
    from tfx.dsl.component.experimental import function_parser as function_parser
    from tfx.dsl.component.experimental import json_compat as json_compat
    from tfx.dsl.component.experimental import placeholders as placeholders
    from tfx.dsl.component.experimental import utils as utils
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {},
        other_modules=(
            "annotations",
            "component_utils",
            "container_component",
            "decorators",
            "executor_specs",
            "function_parser",
            "json_compat",
            "placeholders",
            "utils",
        ),
    )
