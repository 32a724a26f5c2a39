"""Keys that are experimental in TFX."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.google_cloud.keys import ENDPOINT_ARGS_KEY as ENDPOINT_ARGS_KEY
    from trainwright.compat.google_cloud.keys import (
        REMOTE_TRIALS_WORKING_DIR_KEY as REMOTE_TRIALS_WORKING_DIR_KEY,
    )
    from trainwright.compat.google_cloud.keys import (
        SERVING_ARGS_KEY as _BULK_INFERRER_SERVING_ARGS_KEY_,
    )
    from trainwright.compat.google_cloud.keys import SERVING_ARGS_KEY as _PUSHER_SERVING_ARGS_KEY_
    from trainwright.compat.google_cloud.keys import TUNING_ARGS_KEY as TUNING_ARGS_KEY

    BULK_INFERRER_SERVING_ARGS_KEY = _BULK_INFERRER_SERVING_ARGS_KEY_
    PUSHER_SERVING_ARGS_KEY = _PUSHER_SERVING_ARGS_KEY_
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.google_cloud.keys": (
                "ENDPOINT_ARGS_KEY",
                "REMOTE_TRIALS_WORKING_DIR_KEY",
                "SERVING_ARGS_KEY as BULK_INFERRER_SERVING_ARGS_KEY",
                "SERVING_ARGS_KEY as PUSHER_SERVING_ARGS_KEY",
                "TUNING_ARGS_KEY",
            ),
        },
    )
