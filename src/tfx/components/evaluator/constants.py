"""The names that an Evaluator's outputs go by, under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.components.evaluator.constants import (
        ARTIFACT_PROPERTY_BASELINE_MODEL_ID_KEY as ARTIFACT_PROPERTY_BASELINE_MODEL_ID_KEY,
    )
    from trainwright.components.evaluator.constants import (
        ARTIFACT_PROPERTY_BASELINE_MODEL_URI_KEY as ARTIFACT_PROPERTY_BASELINE_MODEL_URI_KEY,
    )
    from trainwright.components.evaluator.constants import (
        ARTIFACT_PROPERTY_BLESSED_KEY as ARTIFACT_PROPERTY_BLESSED_KEY,
    )
    from trainwright.components.evaluator.constants import (
        ARTIFACT_PROPERTY_BLESSING_MESSAGE_KEY as ARTIFACT_PROPERTY_BLESSING_MESSAGE_KEY,
    )
    from trainwright.components.evaluator.constants import (
        ARTIFACT_PROPERTY_CURRENT_MODEL_ID_KEY as ARTIFACT_PROPERTY_CURRENT_MODEL_ID_KEY,
    )
    from trainwright.components.evaluator.constants import (
        ARTIFACT_PROPERTY_CURRENT_MODEL_URI_KEY as ARTIFACT_PROPERTY_CURRENT_MODEL_URI_KEY,
    )
    from trainwright.components.evaluator.constants import (
        ARTIFACT_PROPERTY_VALIDATION_RESULT_KEY as ARTIFACT_PROPERTY_VALIDATION_RESULT_KEY,
    )
    from trainwright.components.evaluator.constants import BLESSED_FILE_NAME as BLESSED_FILE_NAME
    from trainwright.components.evaluator.constants import BLESSED_VALUE as BLESSED_VALUE
    from trainwright.components.evaluator.constants import EVALUATION_KEY as EVALUATION_KEY
    from trainwright.components.evaluator.constants import (
        NOT_BLESSED_FILE_NAME as NOT_BLESSED_FILE_NAME,
    )
    from trainwright.components.evaluator.constants import NOT_BLESSED_VALUE as NOT_BLESSED_VALUE
    from trainwright.components.evaluator.constants import (
        NOT_RUBBER_STAMPED_AND_NOT_BLESSED_VALUE as NOT_RUBBER_STAMPED_AND_NOT_BLESSED_VALUE,
    )
    from trainwright.components.evaluator.constants import (
        RUBBER_STAMPED_AND_BLESSED_VALUE as RUBBER_STAMPED_AND_BLESSED_VALUE,
    )
    from trainwright.components.evaluator.constants import (
        RUBBER_STAMPED_AND_NOT_BLESSED_VALUE as RUBBER_STAMPED_AND_NOT_BLESSED_VALUE,
    )
    from trainwright.components.evaluator.constants import (
        VALIDATION_RESULT_MAX_CHARACTERS as VALIDATION_RESULT_MAX_CHARACTERS,
    )
    from trainwright.components.evaluator.constants import (
        VALIDATIONS_TFRECORDS_FILE_NAME as VALIDATIONS_TFRECORDS_FILE_NAME,
    )
    from trainwright.components.evaluator.constants import (
        get_no_validation_file_value as get_no_validation_file_value,
    )
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.components.evaluator.constants": (
                "ARTIFACT_PROPERTY_BASELINE_MODEL_ID_KEY",
                "ARTIFACT_PROPERTY_BASELINE_MODEL_URI_KEY",
                "ARTIFACT_PROPERTY_BLESSED_KEY",
                "ARTIFACT_PROPERTY_BLESSING_MESSAGE_KEY",
                "ARTIFACT_PROPERTY_CURRENT_MODEL_ID_KEY",
                "ARTIFACT_PROPERTY_CURRENT_MODEL_URI_KEY",
                "ARTIFACT_PROPERTY_VALIDATION_RESULT_KEY",
                "BLESSED_FILE_NAME",
                "BLESSED_VALUE",
                "EVALUATION_KEY",
                "NOT_BLESSED_FILE_NAME",
                "NOT_BLESSED_VALUE",
                "NOT_RUBBER_STAMPED_AND_NOT_BLESSED_VALUE",
                "RUBBER_STAMPED_AND_BLESSED_VALUE",
                "RUBBER_STAMPED_AND_NOT_BLESSED_VALUE",
                "VALIDATIONS_TFRECORDS_FILE_NAME",
                "VALIDATION_RESULT_MAX_CHARACTERS",
                "get_no_validation_file_value",
            ),
        },
    )
