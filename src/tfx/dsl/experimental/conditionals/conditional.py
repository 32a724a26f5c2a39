"""`trainwright.dsl.conditional` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.dsl.conditional import Cond as Cond
    from trainwright.dsl.conditional import CondContext as CondContext
    from trainwright.dsl.conditional import get_predicates as get_predicates
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.dsl.conditional": (
                "Cond",
                "CondContext",
                "get_predicates",
            ),
        },
    )
