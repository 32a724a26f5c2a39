"""TFX's paths to components that make schemas."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from tfx.components.schema_gen import component as component
    from tfx.components.schema_gen import executor as executor
    from tfx.components.schema_gen import import_schema_gen as import_schema_gen
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {},
        other_modules=("component", "executor", "import_schema_gen"),
    )
