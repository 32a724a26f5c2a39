"""`trainwright.compat.compiler.node_inputs_compiler` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.compiler.node_inputs_compiler import (
        compile_node_inputs as compile_node_inputs,
    )
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.compiler.node_inputs_compiler": ("compile_node_inputs",),
        },
    )
