"""TFX's paths to the InfraValidator."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from tfx.components.infra_validator import component as component
    from tfx.components.infra_validator import error_types as error_types
    from tfx.components.infra_validator import executor as executor
    from tfx.components.infra_validator import request_builder as request_builder
    from tfx.components.infra_validator import types as types
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {},
        other_modules=("component", "error_types", "executor", "request_builder", "types"),
    )
