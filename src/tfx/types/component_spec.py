"""`trainwright.types.component_spec` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.types.component_spec import COMPATIBLE_TYPES_KEY as COMPATIBLE_TYPES_KEY
    from trainwright.types.component_spec import ChannelParameter as ChannelParameter
    from trainwright.types.component_spec import ComponentSpec as ComponentSpec
    from trainwright.types.component_spec import ExecutionParameter as ExecutionParameter
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.types.component_spec": (
                "COMPATIBLE_TYPES_KEY",
                "ChannelParameter",
                "ComponentSpec",
                "ExecutionParameter",
            ),
        },
    )
