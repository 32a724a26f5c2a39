"""`trainwright.compat.compiler.compiler_context` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.compiler.compiler_context import NodeContext as NodeContext
    from trainwright.compat.compiler.compiler_context import (
        NullPipelineContext as NullPipelineContext,
    )
    from trainwright.compat.compiler.compiler_context import PipelineContext as PipelineContext
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.compiler.compiler_context": (
                "NodeContext",
                "NullPipelineContext",
                "PipelineContext",
            ),
        },
    )
