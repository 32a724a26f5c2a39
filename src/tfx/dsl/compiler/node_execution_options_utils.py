"""`trainwright.compat.compiler.node_execution_options_utils` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.compiler.node_execution_options_utils import (
        compile_node_execution_options as compile_node_execution_options,
    )
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.compiler.node_execution_options_utils": (
                "compile_node_execution_options",
            ),
        },
    )
