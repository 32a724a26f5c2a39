"""TFX's paths to StatisticsGen."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from tfx.components.statistics_gen import component as component
    from tfx.components.statistics_gen import executor as executor
    from tfx.components.statistics_gen import stats_artifact_utils as stats_artifact_utils
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {},
        other_modules=("component", "executor", "stats_artifact_utils"),
    )
