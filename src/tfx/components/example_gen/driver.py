"""`trainwright.components.example_gen.driver` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.components.example_gen.driver import Driver as Driver
    from trainwright.components.example_gen.driver import FileBasedDriver as FileBasedDriver
    from trainwright.components.example_gen.driver import QueryBasedDriver as QueryBasedDriver
    from trainwright.components.example_gen.driver import (
        update_output_artifact as update_output_artifact,
    )
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.components.example_gen.driver": (
                "Driver",
                "FileBasedDriver",
                "QueryBasedDriver",
                "update_output_artifact",
            ),
        },
    )
