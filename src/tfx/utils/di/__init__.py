"""Dependency injection."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from tfx.utils.di import errors as errors
    from tfx.utils.di import module as module
    from tfx.utils.di import providers as providers
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {},
        other_modules=("errors", "module", "providers"),
    )
