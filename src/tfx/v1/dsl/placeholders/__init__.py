"""Placeholders of container components, none of which are here yet.

`channel.future()` needs no name from here; `tfx.dsl.placeholder.placeholder` has what combines
conditions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    pass
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {},
        missing=(
            "exec_property",
            "execution_invocation",
            "input",
            "output",
        ),
    )
