"""`trainwright.components.schema_gen.executor` under TFX's path."""

from trainwright.components.schema_gen.executor import DEFAULT_FILE_NAME as DEFAULT_FILE_NAME
from trainwright.components.schema_gen.executor import Executor as Executor
