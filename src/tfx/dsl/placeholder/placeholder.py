"""`trainwright.types.placeholder` under TFX's path, often imported as `ph`."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.types.channel_placeholder import (
        ChannelWrappedPlaceholder as ChannelWrappedPlaceholder,
    )
    from trainwright.types.placeholder import Placeholder as Placeholder
    from trainwright.types.placeholder import Predicate as Predicate
    from trainwright.types.placeholder import join as join
    from trainwright.types.placeholder import logical_and as logical_and
    from trainwright.types.placeholder import logical_not as logical_not
    from trainwright.types.placeholder import logical_or as logical_or
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.types.channel_placeholder": ("ChannelWrappedPlaceholder",),
            "trainwright.types.placeholder": (
                "Placeholder",
                "Predicate",
                "join",
                "logical_and",
                "logical_not",
                "logical_or",
            ),
        },
    )
