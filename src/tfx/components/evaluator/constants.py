"""The names that an Evaluator's outputs go by, under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.components.evaluator.executor import (
        ARTIFACT_PROPERTY_BASELINE_MODEL_ID_KEY as ARTIFACT_PROPERTY_BASELINE_MODEL_ID_KEY,
    )
    from trainwright.components.evaluator.executor import (
        ARTIFACT_PROPERTY_BASELINE_MODEL_URI_KEY as ARTIFACT_PROPERTY_BASELINE_MODEL_URI_KEY,
    )
    from trainwright.components.evaluator.executor import (
        ARTIFACT_PROPERTY_BLESSED_KEY as ARTIFACT_PROPERTY_BLESSED_KEY,
    )
    from trainwright.components.evaluator.executor import (
        ARTIFACT_PROPERTY_CURRENT_MODEL_ID_KEY as ARTIFACT_PROPERTY_CURRENT_MODEL_ID_KEY,
    )
    from trainwright.components.evaluator.executor import (
        ARTIFACT_PROPERTY_CURRENT_MODEL_URI_KEY as ARTIFACT_PROPERTY_CURRENT_MODEL_URI_KEY,
    )
    from trainwright.components.evaluator.executor import BLESSED_FILE_NAME as BLESSED_FILE_NAME
    from trainwright.components.evaluator.executor import BLESSED_VALUE as BLESSED_VALUE
    from trainwright.components.evaluator.executor import (
        NOT_BLESSED_FILE_NAME as NOT_BLESSED_FILE_NAME,
    )
    from trainwright.components.evaluator.executor import NOT_BLESSED_VALUE as NOT_BLESSED_VALUE
    from trainwright.types.standard_component_specs import EVALUATION_KEY as EVALUATION_KEY
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.components.evaluator.executor": (
                "ARTIFACT_PROPERTY_BASELINE_MODEL_ID_KEY",
                "ARTIFACT_PROPERTY_BASELINE_MODEL_URI_KEY",
                "ARTIFACT_PROPERTY_BLESSED_KEY",
                "ARTIFACT_PROPERTY_CURRENT_MODEL_ID_KEY",
                "ARTIFACT_PROPERTY_CURRENT_MODEL_URI_KEY",
                "BLESSED_FILE_NAME",
                "BLESSED_VALUE",
                "NOT_BLESSED_FILE_NAME",
                "NOT_BLESSED_VALUE",
            ),
            "trainwright.types.standard_component_specs": ("EVALUATION_KEY",),
        },
    )
