"""`trainwright.components.trainer.rewriting.rewriter` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.components.trainer.rewriting.rewriter import BaseRewriter as BaseRewriter
    from trainwright.components.trainer.rewriting.rewriter import (
        ModelDescription as ModelDescription,
    )
    from trainwright.components.trainer.rewriting.rewriter import ModelType as ModelType
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.components.trainer.rewriting.rewriter": (
                "BaseRewriter",
                "ModelDescription",
                "ModelType",
            ),
        },
    )
