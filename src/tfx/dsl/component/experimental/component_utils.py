"""Component classes from parts, under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.dsl.containers.container_component import (
        create_tfx_component_class as create_tfx_component_class,
    )
    from trainwright.dsl.containers.execution_hooks import (
        check_hook as __type_check_execution_function_params_,
    )

    _type_check_execution_function_params = __type_check_execution_function_params_
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.dsl.containers.container_component": ("create_tfx_component_class",),
            "trainwright.dsl.containers.execution_hooks": (
                "check_hook as _type_check_execution_function_params",
            ),
        },
    )
