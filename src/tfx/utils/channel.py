"""`trainwright.compat.utils.old_channel` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.utils.old_channel import Channel as Channel
    from trainwright.compat.utils.old_channel import as_channel as as_channel
    from trainwright.compat.utils.old_channel import unwrap_channel_dict as unwrap_channel_dict
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.utils.old_channel": (
                "Channel",
                "as_channel",
                "unwrap_channel_dict",
            ),
        },
    )
