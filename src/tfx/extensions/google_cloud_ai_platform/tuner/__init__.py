"""TFX's paths to the Tuner for AI Platform."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from tfx.extensions.google_cloud_ai_platform.tuner import component as component
    from tfx.extensions.google_cloud_ai_platform.tuner import executor as executor
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {},
        other_modules=("component", "executor"),
    )
