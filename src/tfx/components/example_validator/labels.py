"""`trainwright.components.example_validator.labels` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.components.example_validator.labels import ENVIRONMENT as ENVIRONMENT
    from trainwright.components.example_validator.labels import (
        EXTERNAL_CONFIG_VERSION as EXTERNAL_CONFIG_VERSION,
    )
    from trainwright.components.example_validator.labels import FEATURES_NEEDED as FEATURES_NEEDED
    from trainwright.components.example_validator.labels import (
        PREV_SPAN_FEATURE_STATISTICS as PREV_SPAN_FEATURE_STATISTICS,
    )
    from trainwright.components.example_validator.labels import (
        PREV_VERSION_FEATURE_STATISTICS as PREV_VERSION_FEATURE_STATISTICS,
    )
    from trainwright.components.example_validator.labels import SCHEMA as SCHEMA
    from trainwright.components.example_validator.labels import SCHEMA_DIFF_PATH as SCHEMA_DIFF_PATH
    from trainwright.components.example_validator.labels import STATS as STATS
    from trainwright.components.example_validator.labels import (
        TRAINING_STATISTICS as TRAINING_STATISTICS,
    )
    from trainwright.components.example_validator.labels import (
        VALIDATION_CONFIG as VALIDATION_CONFIG,
    )
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.components.example_validator.labels": (
                "ENVIRONMENT",
                "EXTERNAL_CONFIG_VERSION",
                "FEATURES_NEEDED",
                "PREV_SPAN_FEATURE_STATISTICS",
                "PREV_VERSION_FEATURE_STATISTICS",
                "SCHEMA",
                "SCHEMA_DIFF_PATH",
                "STATS",
                "TRAINING_STATISTICS",
                "VALIDATION_CONFIG",
            ),
        },
    )
