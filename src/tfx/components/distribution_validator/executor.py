"""`trainwright.components.distribution_validator.executor` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.components.anomalies_output import (
        ARTIFACT_PROPERTY_BLESSED_KEY as ARTIFACT_PROPERTY_BLESSED_KEY,
    )
    from trainwright.components.anomalies_output import BLESSED_VALUE as BLESSED_VALUE
    from trainwright.components.anomalies_output import DEFAULT_FILE_NAME as DEFAULT_FILE_NAME
    from trainwright.components.anomalies_output import NOT_BLESSED_VALUE as NOT_BLESSED_VALUE
    from trainwright.components.distribution_validator.executor import (
        NO_BASELINE_STATS as NO_BASELINE_STATS,
    )
    from trainwright.components.distribution_validator.executor import Executor as Executor
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.components.anomalies_output": (
                "ARTIFACT_PROPERTY_BLESSED_KEY",
                "BLESSED_VALUE",
                "DEFAULT_FILE_NAME",
                "NOT_BLESSED_VALUE",
            ),
            "trainwright.components.distribution_validator.executor": (
                "Executor",
                "NO_BASELINE_STATS",
            ),
        },
    )
