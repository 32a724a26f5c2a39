"""`trainwright.notebook.formatters` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.notebook.formatters import FORMATTER_REGISTRY as FORMATTER_REGISTRY
    from trainwright.notebook.formatters import NotebookFormatter as NotebookFormatter
    from trainwright.notebook.formatters import register_formatters as register_formatters
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.notebook.formatters": (
                "FORMATTER_REGISTRY",
                "NotebookFormatter",
                "register_formatters",
            ),
        },
    )
