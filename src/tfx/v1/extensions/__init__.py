"""Components for Google Cloud, which say before a run what to use instead."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from tfx.v1.extensions import google_cloud_ai_platform as google_cloud_ai_platform
    from tfx.v1.extensions import google_cloud_big_query as google_cloud_big_query
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {},
        public_modules=("google_cloud_ai_platform", "google_cloud_big_query"),
    )
