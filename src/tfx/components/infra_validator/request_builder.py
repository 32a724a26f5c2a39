"""`trainwright.components.infra_validator.request_builder` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.components.infra_validator.request_builder import (
        build_requests as build_requests,
    )
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.components.infra_validator.request_builder": ("build_requests",),
        },
    )
