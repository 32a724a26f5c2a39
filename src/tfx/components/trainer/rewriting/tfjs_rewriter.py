"""`trainwright.components.trainer.rewriting.tfjs_rewriter` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.components.trainer.rewriting.tfjs_rewriter import (
        CONVERTER_DEFAULT_SIGNATURE_FLAG as CONVERTER_DEFAULT_SIGNATURE_FLAG,
    )
    from trainwright.components.trainer.rewriting.tfjs_rewriter import (
        CONVERTER_SAVED_MODEL_INPUT_FLAG as CONVERTER_SAVED_MODEL_INPUT_FLAG,
    )
    from trainwright.components.trainer.rewriting.tfjs_rewriter import (
        CONVERTER_SERVING_TAG_FLAG as CONVERTER_SERVING_TAG_FLAG,
    )
    from trainwright.components.trainer.rewriting.tfjs_rewriter import TFJSRewriter as TFJSRewriter
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.components.trainer.rewriting.tfjs_rewriter": (
                "CONVERTER_DEFAULT_SIGNATURE_FLAG",
                "CONVERTER_SAVED_MODEL_INPUT_FLAG",
                "CONVERTER_SERVING_TAG_FLAG",
                "TFJSRewriter",
            ),
        },
    )
