"""The nodes without an executor, under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from tfx.dsl.components.common import importer as importer
    from tfx.dsl.components.common import manual_node as manual_node
    from tfx.dsl.components.common import resolver as resolver
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {},
        other_modules=("importer", "manual_node", "resolver"),
    )
