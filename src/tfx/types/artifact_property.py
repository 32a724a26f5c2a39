"""`trainwright.types.artifact_property` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.types.artifact_property import Property as Property
    from trainwright.types.artifact_property import PropertyType as PropertyType
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.types.artifact_property": (
                "Property",
                "PropertyType",
            ),
        },
    )
