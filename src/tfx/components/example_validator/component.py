"""`trainwright.components.example_validator.component` under TFX's path."""

from trainwright.components.example_validator.component import ExampleValidator as ExampleValidator
