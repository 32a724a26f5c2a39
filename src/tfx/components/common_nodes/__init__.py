"""TFX's oldest path to nodes."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from tfx.components.common_nodes import importer_node as importer_node
    from tfx.components.common_nodes import resolver_node as resolver_node
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {},
        other_modules=("importer_node", "resolver_node"),
    )
