"""`trainwright.components.example_validator.labels` under TFX's path."""

from trainwright.components.example_validator.labels import *
