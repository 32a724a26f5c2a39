"""The base types of artifact types."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.types.system_types import Dataset as Dataset
    from trainwright.types.system_types import Metrics as Metrics
    from trainwright.types.system_types import Model as Model
    from trainwright.types.system_types import Statistics as Statistics
    from trainwright.types.system_types import SystemArtifact as SystemArtifact
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.types.system_types": (
                "Dataset",
                "Metrics",
                "Model",
                "Statistics",
                "SystemArtifact",
            ),
        },
    )
