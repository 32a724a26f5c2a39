"""`trainwright.components.schema_gen.import_schema_gen.executor` under TFX's path."""

from trainwright.components.schema_gen.import_schema_gen.executor import Executor as Executor
