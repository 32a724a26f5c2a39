"""The names that an Evaluator's outputs go by, under TFX's path."""

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
