"""`trainwright.dsl.function_component` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.dsl.function_component import (
        BaseFunctionalComponent as BaseFunctionalComponent,
    )
    from trainwright.dsl.function_component import (
        BaseFunctionalComponentFactory as BaseFunctionalComponentFactory,
    )
    from trainwright.dsl.function_component import component as component
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.dsl.function_component": (
                "BaseFunctionalComponent",
                "BaseFunctionalComponentFactory",
                "component",
            ),
        },
    )
