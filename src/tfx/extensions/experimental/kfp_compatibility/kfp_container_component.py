"""`trainwright.compat.kfp_components` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.kfp_components import (
        load_kfp_yaml_container_component as load_kfp_yaml_container_component,
    )
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.kfp_components": ("load_kfp_yaml_container_component",),
        },
    )
