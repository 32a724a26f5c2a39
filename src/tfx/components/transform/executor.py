"""`trainwright.components.transform.executor` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.components.transform_processor import (
        TransformProcessor as TransformProcessor,
    )
    from trainwright.components.transform.executor import _ANOMALIES_FILE as _ANOMALIES_FILE
    from trainwright.components.transform.executor import _SCHEMA_FILE as _SCHEMA_FILE
    from trainwright.components.transform.executor import RAW_EXAMPLE_KEY as RAW_EXAMPLE_KEY
    from trainwright.components.transform.executor import SAMPLE_FILE_NAME as SAMPLE_FILE_NAME
    from trainwright.components.transform.executor import (
        SHARDED_STATS_PREFIX as SHARDED_STATS_PREFIX,
    )
    from trainwright.components.transform.executor import STATS_FILE as STATS_FILE
    from trainwright.components.transform.executor import TEMP_PATH_KEY as TEMP_PATH_KEY
    from trainwright.components.transform.executor import Executor as Executor
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.components.transform_processor": ("TransformProcessor",),
            "trainwright.components.transform.executor": (
                "Executor",
                "RAW_EXAMPLE_KEY",
                "SAMPLE_FILE_NAME",
                "SHARDED_STATS_PREFIX",
                "STATS_FILE",
                "TEMP_PATH_KEY",
                "_ANOMALIES_FILE",
                "_SCHEMA_FILE",
            ),
        },
    )
