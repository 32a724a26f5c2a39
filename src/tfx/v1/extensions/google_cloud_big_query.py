"""Components for BigQuery."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.google_cloud.big_query import (
        SERVING_ARGS_KEY as _PUSHER_SERVING_ARGS_KEY_,
    )
    from trainwright.compat.google_cloud.big_query import Pusher as Pusher
    from trainwright.compat.google_cloud.big_query_examples import (
        BigQueryExampleGen as BigQueryExampleGen,
    )

    PUSHER_SERVING_ARGS_KEY = _PUSHER_SERVING_ARGS_KEY_
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.google_cloud.big_query": (
                "Pusher",
                "SERVING_ARGS_KEY as PUSHER_SERVING_ARGS_KEY",
            ),
            "trainwright.compat.google_cloud.big_query_examples": ("BigQueryExampleGen",),
        },
    )
