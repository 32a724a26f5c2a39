"""`trainwright.components.trainer.rewriting.rewriter_factory` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.components.trainer.rewriting.rewriter_factory import (
        ONNX_REWRITER as ONNX_REWRITER,
    )
    from trainwright.components.trainer.rewriting.rewriter_factory import (
        TFJS_REWRITER as TFJS_REWRITER,
    )
    from trainwright.components.trainer.rewriting.rewriter_factory import (
        TFLITE_REWRITER as TFLITE_REWRITER,
    )
    from trainwright.components.trainer.rewriting.rewriter_factory import (
        create_rewriter as create_rewriter,
    )
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.components.trainer.rewriting.rewriter_factory": (
                "ONNX_REWRITER",
                "TFJS_REWRITER",
                "TFLITE_REWRITER",
                "create_rewriter",
            ),
        },
    )
