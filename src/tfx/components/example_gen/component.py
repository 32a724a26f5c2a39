"""`trainwright.components.example_gen.component` under TFX's path."""

from typing import TYPE_CHECKING

from tfx._names import missing_names
from trainwright.components.example_gen.component import (
    FileBasedExampleGen as FileBasedExampleGen,
)

if not TYPE_CHECKING:
    __getattr__ = missing_names(
        __name__,
        ("QueryBasedExampleGen",),
    )
