"""`trainwright.components.schema_gen.import_schema_gen.component` under TFX's path."""

from trainwright.components.schema_gen.import_schema_gen.component import (
    ImportSchemaGen as ImportSchemaGen,
)
