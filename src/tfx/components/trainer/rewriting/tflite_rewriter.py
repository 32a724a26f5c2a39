"""`trainwright.components.trainer.rewriting.tflite_rewriter` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.components.trainer.rewriting.tflite_rewriter import (
        EXTRA_ASSETS_DIRECTORY as EXTRA_ASSETS_DIRECTORY,
    )
    from trainwright.components.trainer.rewriting.tflite_rewriter import (
        TFLiteRewriter as TFLiteRewriter,
    )
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.components.trainer.rewriting.tflite_rewriter": (
                "EXTRA_ASSETS_DIRECTORY",
                "TFLiteRewriter",
            ),
        },
    )
