"""`trainwright.compat.input_resolution.channel_resolver` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.input_resolution.channel_resolver import (
        resolve_single_channel as resolve_single_channel,
    )
    from trainwright.compat.input_resolution.channel_resolver import (
        resolve_union_channels as resolve_union_channels,
    )
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.input_resolution.channel_resolver": (
                "resolve_single_channel",
                "resolve_union_channels",
            ),
        },
    )
