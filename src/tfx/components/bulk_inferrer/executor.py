"""`trainwright.components.bulk_inferrer.executor` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.components.bulk_inferrer.executor import (
        _EXAMPLES_FILE_NAME as _EXAMPLES_FILE_NAME,
    )
    from trainwright.components.bulk_inferrer.executor import (
        _PREDICTION_LOGS_FILE_NAME as _PREDICTION_LOGS_FILE_NAME,
    )
    from trainwright.components.bulk_inferrer.executor import Executor as Executor
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.components.bulk_inferrer.executor": (
                "Executor",
                "_EXAMPLES_FILE_NAME",
                "_PREDICTION_LOGS_FILE_NAME",
            ),
        },
    )
