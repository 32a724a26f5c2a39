"""The names that an Evaluator's outputs go by, which are TFX's."""

from __future__ import annotations

# Properties of a blessing.
ARTIFACT_PROPERTY_BLESSED_KEY = "blessed"
ARTIFACT_PROPERTY_CURRENT_MODEL_URI_KEY = "current_model"
ARTIFACT_PROPERTY_CURRENT_MODEL_ID_KEY = "current_model_id"
ARTIFACT_PROPERTY_BASELINE_MODEL_URI_KEY = "baseline_model"
ARTIFACT_PROPERTY_BASELINE_MODEL_ID_KEY = "baseline_model_id"
ARTIFACT_PROPERTY_BLESSING_MESSAGE_KEY = "blessing_message"
ARTIFACT_PROPERTY_VALIDATION_RESULT_KEY = "validation_result"

BLESSED_VALUE, NOT_BLESSED_VALUE = 1, 0
BLESSED_FILE_NAME = "BLESSED"
NOT_BLESSED_FILE_NAME = "NOT_BLESSED"

VALIDATIONS_TFRECORDS_FILE_NAME = "validations.tfrecord"
EVALUATION_KEY = "evaluation"

# Properties are no longer than this, which is what TFX's largest store takes.
VALIDATION_RESULT_MAX_CHARACTERS = 2_621_440

# Texts of `blessing_message`, which programs compare with.
RUBBER_STAMPED_AND_BLESSED_VALUE = (
    "The model was rubber stamped (no baseline models found) and blessed. Any change thresholds "
    "were ignored, but value thresholds were checked and passed."
)
RUBBER_STAMPED_AND_NOT_BLESSED_VALUE = (
    "The model was rubber stamped (no baseline models found) and not blessed. Any change "
    "thresholds were ignored, but value thresholds were checked and failed."
)
NOT_RUBBER_STAMPED_AND_NOT_BLESSED_VALUE = (
    "The model was not rubber stamped (a baseline model was found) and not blessed. Change "
    "thresholds and value thresholds were checked and there were failures."
)


def get_no_validation_file_value(validation_path: str) -> str:
    """The message for an evaluation without thresholds."""
    return (
        f'No validations.tfrecords file found at {validation_path}. The "blessed" '
        "custom_property will not be set."
    )
