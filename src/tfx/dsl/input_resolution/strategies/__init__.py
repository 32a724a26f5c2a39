"""The strategies of a Resolver, under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from tfx.dsl.input_resolution.strategies import conditional_strategy as conditional_strategy
    from tfx.dsl.input_resolution.strategies import (
        latest_artifact_strategy as latest_artifact_strategy,
    )
    from tfx.dsl.input_resolution.strategies import (
        latest_blessed_model_strategy as latest_blessed_model_strategy,
    )
    from tfx.dsl.input_resolution.strategies import span_range_strategy as span_range_strategy
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {},
        other_modules=(
            "conditional_strategy",
            "latest_artifact_strategy",
            "latest_blessed_model_strategy",
            "span_range_strategy",
        ),
    )
