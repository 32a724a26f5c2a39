"""`trainwright.compat.utils.topsort` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.utils.topsort import InvalidDAGError as InvalidDAGError
    from trainwright.compat.utils.topsort import NodeT as NodeT
    from trainwright.compat.utils.topsort import topsorted_layers as topsorted_layers
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.utils.topsort": (
                "InvalidDAGError",
                "NodeT",
                "topsorted_layers",
            ),
        },
    )
