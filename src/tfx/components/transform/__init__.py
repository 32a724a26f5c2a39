"""TFX's paths to Transform."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from tfx.components.transform import component as component
    from tfx.components.transform import executor as executor
    from tfx.components.transform import executor_utils as executor_utils
    from tfx.components.transform import labels as labels
    from tfx.components.transform import messages as messages
    from tfx.components.transform import stats_options_util as stats_options_util
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {},
        other_modules=(
            "component",
            "executor",
            "executor_utils",
            "labels",
            "messages",
            "stats_options_util",
        ),
    )
