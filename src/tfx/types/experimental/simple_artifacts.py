"""`trainwright.compat.types.simple_artifacts` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.types.simple_artifacts import Dataset as Dataset
    from trainwright.compat.types.simple_artifacts import File as File
    from trainwright.compat.types.simple_artifacts import Metrics as Metrics
    from trainwright.compat.types.simple_artifacts import Statistics as Statistics
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.types.simple_artifacts": (
                "Dataset",
                "File",
                "Metrics",
                "Statistics",
            ),
        },
    )
