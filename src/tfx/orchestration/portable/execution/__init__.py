"""Environment of components while they are executed."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from tfx.orchestration.portable.execution import context as context
    from tfx.orchestration.portable.execution import di_providers as di_providers
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {},
        other_modules=("context", "di_providers"),
    )
