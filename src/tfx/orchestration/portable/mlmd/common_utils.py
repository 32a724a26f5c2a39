"""`trainwright.compat.mlmd.type_registration` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.mlmd.type_registration import MetadataType as MetadataType
    from trainwright.compat.mlmd.type_registration import (
        register_type_if_not_exist as register_type_if_not_exist,
    )
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.mlmd.type_registration": (
                "MetadataType",
                "register_type_if_not_exist",
            ),
        },
    )
