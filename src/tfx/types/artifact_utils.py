"""Helpers of executors for lists of artifacts, under TFX's names."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.types.artifact import Artifact as Artifact
    from trainwright.types.artifact import _ArtifactType as _ArtifactType
    from trainwright.types.artifact_types import get_artifact_type_class as get_artifact_type_class
    from trainwright.types.artifact_utils import deserialize_artifact as deserialize_artifact
    from trainwright.types.artifact_utils import deserialize_artifacts as deserialize_artifacts
    from trainwright.types.artifact_utils import get_single_instance as get_single_instance
    from trainwright.types.artifact_utils import get_single_uri as get_single_uri
    from trainwright.types.artifact_utils import jsonify_artifact_dict as jsonify_artifact_dict
    from trainwright.types.artifact_utils import parse_artifact_dict as parse_artifact_dict
    from trainwright.types.artifact_utils import replicate_artifacts as replicate_artifacts
    from trainwright.types.artifact_utils import verify_artifacts as verify_artifacts
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
    from trainwright.types.value_artifact import ValueArtifact as ValueArtifact
    from trainwright.types.value_artifact import _ValueArtifactType as _ValueArtifactType
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.types.artifact": (
                "Artifact",
                "_ArtifactType",
            ),
            "trainwright.types.artifact_types": ("get_artifact_type_class",),
            "trainwright.types.artifact_utils": (
                "deserialize_artifact",
                "deserialize_artifacts",
                "get_single_instance",
                "get_single_uri",
                "jsonify_artifact_dict",
                "parse_artifact_dict",
                "replicate_artifacts",
                "verify_artifacts",
            ),
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
            "trainwright.types.value_artifact": (
                "ValueArtifact",
                "_ValueArtifactType",
            ),
        },
    )
