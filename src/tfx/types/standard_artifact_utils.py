"""Splits and versions of artifacts, under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.types.artifact_version import (
        _ARTIFACT_VERSION_FOR_ANOMALIES_UPDATE as _ARTIFACT_VERSION_FOR_ANOMALIES_UPDATE,
    )
    from trainwright.types.artifact_version import (
        _ARTIFACT_VERSION_FOR_MODEL_UPDATE as _ARTIFACT_VERSION_FOR_MODEL_UPDATE,
    )
    from trainwright.types.artifact_version import (
        _ARTIFACT_VERSION_FOR_SPLIT_UPDATE as _ARTIFACT_VERSION_FOR_SPLIT_UPDATE,
    )
    from trainwright.types.artifact_version import (
        _ARTIFACT_VERSION_FOR_STATS_UPDATE as _ARTIFACT_VERSION_FOR_STATS_UPDATE,
    )
    from trainwright.types.artifact_version import (
        ARTIFACT_TFX_VERSION_CUSTOM_PROPERTY_KEY as ARTIFACT_TFX_VERSION_CUSTOM_PROPERTY_KEY,
    )
    from trainwright.types.artifact_version import (
        is_artifact_version_older_than as is_artifact_version_older_than,
    )
    from trainwright.types.splits import decode_split_names as decode_split_names
    from trainwright.types.splits import encode_split_names as encode_split_names
    from trainwright.types.splits import get_split_uri as get_split_uri
    from trainwright.types.splits import get_split_uris as get_split_uris
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.types.artifact_version": (
                "ARTIFACT_TFX_VERSION_CUSTOM_PROPERTY_KEY",
                "_ARTIFACT_VERSION_FOR_ANOMALIES_UPDATE",
                "_ARTIFACT_VERSION_FOR_MODEL_UPDATE",
                "_ARTIFACT_VERSION_FOR_SPLIT_UPDATE",
                "_ARTIFACT_VERSION_FOR_STATS_UPDATE",
                "is_artifact_version_older_than",
            ),
            "trainwright.types.splits": (
                "decode_split_names",
                "encode_split_names",
                "get_split_uri",
                "get_split_uris",
            ),
        },
    )
