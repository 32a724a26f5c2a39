"""`trainwright.types.artifact` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.types.artifact import CUSTOM_PROPERTIES_PREFIX as CUSTOM_PROPERTIES_PREFIX
    from trainwright.types.artifact import DEFAULT_EXAMPLE_SPLITS as DEFAULT_EXAMPLE_SPLITS
    from trainwright.types.artifact import Artifact as Artifact
    from trainwright.types.artifact import ArtifactState as ArtifactState
    from trainwright.types.artifact import JsonValueType as JsonValueType
    from trainwright.types.artifact import Property as Property
    from trainwright.types.artifact import PropertyType as PropertyType
    from trainwright.types.artifact import _ArtifactType as _ArtifactType
    from trainwright.types.artifact_types import MlmdArtifactState as MlmdArtifactState
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.types.artifact": (
                "Artifact",
                "ArtifactState",
                "CUSTOM_PROPERTIES_PREFIX",
                "DEFAULT_EXAMPLE_SPLITS",
                "JsonValueType",
                "Property",
                "PropertyType",
                "_ArtifactType",
            ),
            "trainwright.types.artifact_types": ("MlmdArtifactState",),
        },
    )
