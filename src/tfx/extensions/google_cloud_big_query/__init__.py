"""Components for BigQuery, under TFX's paths."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from tfx.extensions.google_cloud_big_query import example_gen as example_gen
    from tfx.extensions.google_cloud_big_query import experimental as experimental
    from tfx.extensions.google_cloud_big_query import pusher as pusher
    from tfx.extensions.google_cloud_big_query import utils as utils
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {},
        other_modules=("example_gen", "experimental", "pusher", "utils"),
    )
