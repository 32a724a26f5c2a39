"""What tests of components need."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.types.channel_utils import ChannelForTesting as _ChannelForTesting

    Channel = _ChannelForTesting
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "Channel": "trainwright.types.channel_utils:ChannelForTesting",
        },
    )
