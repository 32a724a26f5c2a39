"""LocalDagRunner as TFX's users know it: components of their own run in the listed order."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.runners.dag_runners import LocalDagRunner as LocalDagRunner
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.runners.dag_runners": ("LocalDagRunner",),
        },
    )
