"""TFX's paths to components for Google Cloud, which say before a run what to use instead."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from tfx.extensions import experimental as experimental
    from tfx.extensions import google_cloud_ai_platform as google_cloud_ai_platform
    from tfx.extensions import google_cloud_big_query as google_cloud_big_query
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {},
        other_modules=("experimental", "google_cloud_ai_platform", "google_cloud_big_query"),
    )
