"""`trainwright.compat.components.prediction_to_example_utils` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.components.prediction_to_example_utils import convert as convert
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.components.prediction_to_example_utils": ("convert",),
        },
    )
