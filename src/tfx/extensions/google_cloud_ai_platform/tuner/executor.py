"""`trainwright.compat.google_cloud.ai_platform` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.google_cloud.ai_platform import TunerExecutor as _Executor_
    from trainwright.compat.google_cloud.keys import (
        REMOTE_TRIALS_WORKING_DIR_KEY as REMOTE_TRIALS_WORKING_DIR_KEY,
    )
    from trainwright.compat.google_cloud.keys import TUNING_ARGS_KEY as TUNING_ARGS_KEY

    Executor = _Executor_
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.google_cloud.ai_platform": ("TunerExecutor as Executor",),
            "trainwright.compat.google_cloud.keys": (
                "REMOTE_TRIALS_WORKING_DIR_KEY",
                "TUNING_ARGS_KEY",
            ),
        },
    )
