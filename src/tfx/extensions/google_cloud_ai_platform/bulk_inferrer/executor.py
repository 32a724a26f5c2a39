"""`trainwright.compat.google_cloud.ai_platform` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.google_cloud.ai_platform import BulkInferrerExecutor as _Executor_
    from trainwright.compat.google_cloud.keys import SERVING_ARGS_KEY as SERVING_ARGS_KEY

    Executor = _Executor_
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.google_cloud.ai_platform": ("BulkInferrerExecutor as Executor",),
            "trainwright.compat.google_cloud.keys": ("SERVING_ARGS_KEY",),
        },
    )
