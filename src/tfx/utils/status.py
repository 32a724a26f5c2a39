"""`trainwright.compat.utils.status` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.utils.status import Code as Code
    from trainwright.compat.utils.status import Status as Status
    from trainwright.compat.utils.status import StatusNotOkError as StatusNotOkError
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.utils.status": (
                "Code",
                "Status",
                "StatusNotOkError",
            ),
        },
    )
