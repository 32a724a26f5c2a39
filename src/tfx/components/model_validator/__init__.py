"""TFX's paths to the ModelValidator."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from tfx.components.model_validator import component as component
    from tfx.components.model_validator import constants as constants
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {},
        other_modules=("component", "constants"),
    )
