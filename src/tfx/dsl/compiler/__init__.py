"""Pipelines as messages, under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from tfx.dsl.compiler import compiler as compiler
    from tfx.dsl.compiler import compiler_context as compiler_context
    from tfx.dsl.compiler import compiler_utils as compiler_utils
    from tfx.dsl.compiler import constants as constants
    from tfx.dsl.compiler import node_contexts_compiler as node_contexts_compiler
    from tfx.dsl.compiler import node_execution_options_utils as node_execution_options_utils
    from tfx.dsl.compiler import node_inputs_compiler as node_inputs_compiler
    from tfx.dsl.compiler import placeholder_utils as placeholder_utils
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {},
        other_modules=(
            "compiler",
            "compiler_context",
            "compiler_utils",
            "constants",
            "node_contexts_compiler",
            "node_execution_options_utils",
            "node_inputs_compiler",
            "placeholder_utils",
        ),
    )
