"""`trainwright.dsl.manual_node` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.dsl.manual_node import DESCRIPTION_KEY as DESCRIPTION_KEY
    from trainwright.dsl.manual_node import ManualNode as ManualNode
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.dsl.manual_node": (
                "DESCRIPTION_KEY",
                "ManualNode",
            ),
        },
    )
