"""`trainwright.components.trainer.rewriting.converters` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.components.trainer.rewriting.converters import (
        RewritingExporter as RewritingExporter,
    )
    from trainwright.components.trainer.rewriting.converters import (
        rewrite_saved_model as rewrite_saved_model,
    )
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.components.trainer.rewriting.converters": (
                "RewritingExporter",
                "rewrite_saved_model",
            ),
        },
    )
