"""Values that are known when a node runs; `channel.future()` needs no name from here."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.dsl.containers.command_placeholders import (
        InputUriPlaceholder as InputUriPlaceholder,
    )
    from trainwright.dsl.containers.command_placeholders import (
        InputValuePlaceholder as InputValuePlaceholder,
    )
    from trainwright.dsl.containers.command_placeholders import (
        OutputUriPlaceholder as OutputUriPlaceholder,
    )
    from trainwright.types.placeholders.artifact_placeholder import input as input
    from trainwright.types.placeholders.artifact_placeholder import output as output
    from trainwright.types.placeholders.runtime_placeholders import exec_property as exec_property
    from trainwright.types.placeholders.runtime_placeholders import (
        execution_invocation as execution_invocation,
    )
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.types.placeholders.artifact_placeholder": (
                "input",
                "output",
            ),
            "trainwright.types.placeholders.runtime_placeholders": (
                "exec_property",
                "execution_invocation",
            ),
            "trainwright.dsl.containers.command_placeholders": (
                "InputUriPlaceholder",
                "InputValuePlaceholder",
                "OutputUriPlaceholder",
            ),
        },
    )
