"""TFX's paths to the rewriting of models."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from tfx.components.trainer.rewriting import converters as converters
    from tfx.components.trainer.rewriting import rewriter as rewriter
    from tfx.components.trainer.rewriting import rewriter_factory as rewriter_factory
    from tfx.components.trainer.rewriting import tfjs_rewriter as tfjs_rewriter
    from tfx.components.trainer.rewriting import tflite_rewriter as tflite_rewriter
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {},
        other_modules=(
            "converters",
            "rewriter",
            "rewriter_factory",
            "tfjs_rewriter",
            "tflite_rewriter",
        ),
    )
