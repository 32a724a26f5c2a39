"""`trainwright.components.example_gen.import_example_gen.component` under TFX's path."""

from trainwright.components.example_gen.import_example_gen.component import (
    ImportExampleGen as ImportExampleGen,
)
