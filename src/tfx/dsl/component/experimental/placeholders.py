"""`trainwright.dsl.containers.command_placeholders` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.dsl.containers.command_placeholders import (
        CommandlineArgumentType as CommandlineArgumentType,
    )
    from trainwright.dsl.containers.command_placeholders import (
        ConcatPlaceholder as ConcatPlaceholder,
    )
    from trainwright.dsl.containers.command_placeholders import (
        InputUriPlaceholder as InputUriPlaceholder,
    )
    from trainwright.dsl.containers.command_placeholders import (
        InputValuePlaceholder as InputValuePlaceholder,
    )
    from trainwright.dsl.containers.command_placeholders import (
        OutputUriPlaceholder as OutputUriPlaceholder,
    )
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.dsl.containers.command_placeholders": (
                "CommandlineArgumentType",
                "ConcatPlaceholder",
                "InputUriPlaceholder",
                "InputValuePlaceholder",
                "OutputUriPlaceholder",
            ),
        },
    )
