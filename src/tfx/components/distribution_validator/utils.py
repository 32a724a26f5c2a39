"""The config of a DistributionValidator as an artifact, under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.components.distribution_validator.executor import (
        load_config_from_artifact as load_config_from_artifact,
    )
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.components.distribution_validator.executor": (
                "load_config_from_artifact",
            ),
        },
    )
