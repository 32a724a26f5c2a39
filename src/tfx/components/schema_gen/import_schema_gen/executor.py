"""`trainwright.components.schema_gen.import_schema_gen.executor` under the name that TFX gives it."""

from trainwright.components.schema_gen.import_schema_gen.executor import Executor as Executor
