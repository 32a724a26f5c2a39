"""Checks of whether models are blessed, under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.components.value_utils import is_infra_validated as is_infra_validated
    from trainwright.compat.components.value_utils import is_model_blessed as is_model_blessed
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.components.value_utils": (
                "is_infra_validated",
                "is_model_blessed",
            ),
        },
    )
