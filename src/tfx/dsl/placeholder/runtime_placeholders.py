"""`trainwright.types.placeholders.runtime_placeholders` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.types.placeholders.runtime_placeholders import (
        EnvironmentVariablePlaceholder as EnvironmentVariablePlaceholder,
    )
    from trainwright.types.placeholders.runtime_placeholders import (
        ExecInvocationPlaceholder as ExecInvocationPlaceholder,
    )
    from trainwright.types.placeholders.runtime_placeholders import (
        ExecPropertyPlaceholder as ExecPropertyPlaceholder,
    )
    from trainwright.types.placeholders.runtime_placeholders import (
        RuntimeInfoKeys as RuntimeInfoKeys,
    )
    from trainwright.types.placeholders.runtime_placeholders import (
        RuntimeInfoPlaceholder as RuntimeInfoPlaceholder,
    )
    from trainwright.types.placeholders.runtime_placeholders import (
        environment_variable as environment_variable,
    )
    from trainwright.types.placeholders.runtime_placeholders import exec_property as exec_property
    from trainwright.types.placeholders.runtime_placeholders import (
        execution_invocation as execution_invocation,
    )
    from trainwright.types.placeholders.runtime_placeholders import runtime_info as runtime_info
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.types.placeholders.runtime_placeholders": (
                "EnvironmentVariablePlaceholder",
                "ExecInvocationPlaceholder",
                "ExecPropertyPlaceholder",
                "RuntimeInfoKeys",
                "RuntimeInfoPlaceholder",
                "environment_variable",
                "exec_property",
                "execution_invocation",
                "runtime_info",
            ),
        },
    )
