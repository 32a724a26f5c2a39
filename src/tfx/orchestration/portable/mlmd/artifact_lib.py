"""`trainwright.compat.mlmd.artifacts` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.mlmd.artifacts import get_artifacts_by_ids as get_artifacts_by_ids
    from trainwright.compat.mlmd.artifacts import update_artifacts as update_artifacts
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.mlmd.artifacts": (
                "get_artifacts_by_ids",
                "update_artifacts",
            ),
        },
    )
