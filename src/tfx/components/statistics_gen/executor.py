"""`trainwright.components.statistics_gen.executor` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.components.statistics_gen.executor import (
        DEFAULT_FILE_NAME as DEFAULT_FILE_NAME,
    )
    from trainwright.components.statistics_gen.executor import (
        SAMPLE_RATE_BY_SPLIT_PROPERTY_NAME as SAMPLE_RATE_BY_SPLIT_PROPERTY_NAME,
    )
    from trainwright.components.statistics_gen.executor import (
        STATS_DASHBOARD_LINK as STATS_DASHBOARD_LINK,
    )
    from trainwright.components.statistics_gen.executor import Executor as Executor
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.components.statistics_gen.executor": (
                "DEFAULT_FILE_NAME",
                "Executor",
                "SAMPLE_RATE_BY_SPLIT_PROPERTY_NAME",
                "STATS_DASHBOARD_LINK",
            ),
        },
    )
