"""`trainwright.components.schema_gen.component` under TFX's path."""

from trainwright.components.schema_gen.component import SchemaGen as SchemaGen
