"""`trainwright.components.example_gen.driver` under TFX's path."""

from typing import TYPE_CHECKING

from tfx._names import missing_names
from trainwright.components.example_gen.driver import (
    FileBasedExampleGenDriver as FileBasedDriver,
)

if not TYPE_CHECKING:
    __getattr__ = missing_names(
        __name__,
        (
            "Driver",
            "QueryBasedDriver",
            "update_output_artifact",
        ),
    )
