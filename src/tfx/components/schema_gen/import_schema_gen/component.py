"""`trainwright.components.schema_gen.import_schema_gen.component` under the name that TFX gives it."""

from trainwright.components.schema_gen.import_schema_gen.component import (
    ImportSchemaGen as ImportSchemaGen,
)
