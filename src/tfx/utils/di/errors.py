"""`trainwright.compat.utils.dependency_injection` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.utils.dependency_injection import FalseMatchError as FalseMatchError
    from trainwright.compat.utils.dependency_injection import (
        InvalidTypeHintError as InvalidTypeHintError,
    )
    from trainwright.compat.utils.dependency_injection import NotProvidedError as NotProvidedError
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.utils.dependency_injection": (
                "FalseMatchError",
                "InvalidTypeHintError",
                "NotProvidedError",
            ),
        },
    )
