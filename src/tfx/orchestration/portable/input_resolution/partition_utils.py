"""`trainwright.compat.input_resolution.partitions` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.input_resolution.partitions import NO_PARTITION as NO_PARTITION
    from trainwright.compat.input_resolution.partitions import Partition as Partition
    from trainwright.compat.input_resolution.partitions import join as join
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.input_resolution.partitions": (
                "NO_PARTITION",
                "Partition",
                "join",
            ),
        },
    )
