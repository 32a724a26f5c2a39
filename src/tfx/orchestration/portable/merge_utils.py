"""`trainwright.compat.orchestration.output_merging` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.orchestration.output_merging import (
        merge_updated_output_artifacts as merge_updated_output_artifacts,
    )
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.orchestration.output_merging": ("merge_updated_output_artifacts",),
        },
    )
