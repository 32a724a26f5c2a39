"""`trainwright.components.example_gen.input_processor` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.components.example_gen.input_processor import (
        FileBasedInputProcessor as FileBasedInputProcessor,
    )
    from trainwright.components.example_gen.input_processor import InputProcessor as InputProcessor
    from trainwright.components.example_gen.input_processor import (
        QueryBasedInputProcessor as QueryBasedInputProcessor,
    )
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.components.example_gen.input_processor": (
                "FileBasedInputProcessor",
                "InputProcessor",
                "QueryBasedInputProcessor",
            ),
        },
    )
