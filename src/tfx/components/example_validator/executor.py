"""`trainwright.components.example_validator.executor` under TFX's path."""

from trainwright.components.example_validator.executor import (
    ARTIFACT_PROPERTY_BLESSED_KEY as ARTIFACT_PROPERTY_BLESSED_KEY,
)
from trainwright.components.example_validator.executor import BLESSED_VALUE as BLESSED_VALUE
from trainwright.components.example_validator.executor import DEFAULT_FILE_NAME as DEFAULT_FILE_NAME
from trainwright.components.example_validator.executor import NOT_BLESSED_VALUE as NOT_BLESSED_VALUE
from trainwright.components.example_validator.executor import Executor as Executor
