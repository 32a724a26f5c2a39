"""`trainwright.types.value_artifact` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.types.value_artifact import ValueArtifact as ValueArtifact
    from trainwright.types.value_artifact import _ValueArtifactType as _ValueArtifactType
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.types.value_artifact": (
                "ValueArtifact",
                "_ValueArtifactType",
            ),
        },
    )
