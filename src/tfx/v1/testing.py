"""Helper for tests of components."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.types.channel_utils import ChannelForTesting as _Channel_

    Channel = _Channel_
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.types.channel_utils": ("ChannelForTesting as Channel",),
        },
    )
