"""`trainwright.components.example_diff.executor` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.components.example_diff.executor import _SAMPLE_FILE_NAME as _SAMPLE_FILE_NAME
    from trainwright.components.example_diff.executor import (
        CONFUSION_FILE_NAME as CONFUSION_FILE_NAME,
    )
    from trainwright.components.example_diff.executor import (
        MATCH_STATS_FILE_NAME as MATCH_STATS_FILE_NAME,
    )
    from trainwright.components.example_diff.executor import STATS_FILE_NAME as STATS_FILE_NAME
    from trainwright.components.example_diff.executor import Executor as Executor
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.components.example_diff.executor": (
                "CONFUSION_FILE_NAME",
                "Executor",
                "MATCH_STATS_FILE_NAME",
                "STATS_FILE_NAME",
                "_SAMPLE_FILE_NAME",
            ),
        },
    )
