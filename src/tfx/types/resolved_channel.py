"""`trainwright.dsl.input_resolution.resolved_channel` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.dsl.input_resolution.resolved_channel import Invocation as Invocation
    from trainwright.dsl.input_resolution.resolved_channel import ResolvedChannel as ResolvedChannel
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.dsl.input_resolution.resolved_channel": (
                "Invocation",
                "ResolvedChannel",
            ),
        },
    )
