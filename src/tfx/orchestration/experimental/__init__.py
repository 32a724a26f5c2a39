"""TFX's paths to ways of running that are experimental there."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from tfx.orchestration.experimental import core as core
    from tfx.orchestration.experimental import interactive as interactive
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {},
        other_modules=("core", "interactive"),
    )
