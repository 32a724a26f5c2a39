"""The TFX version that wrote an artifact: the layout of its files depends on it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trainwright.types.artifact import Artifact

ARTIFACT_TFX_VERSION_CUSTOM_PROPERTY_KEY = "tfx_version"

# The first versions that wrote `Split-train` for `train`, `Format-Serving` for
# `serving_model_dir`, `FeatureStats.pb` for `stats_tfrecord`, and `SchemaDiff.pb` for
# `anomalies.pbtxt`.
_ARTIFACT_VERSION_FOR_SPLIT_UPDATE = "0.29.0.dev"
_ARTIFACT_VERSION_FOR_MODEL_UPDATE = "0.29.0.dev"
_ARTIFACT_VERSION_FOR_STATS_UPDATE = "0.29.0.dev"
_ARTIFACT_VERSION_FOR_ANOMALIES_UPDATE = "0.29.0.dev"

_NUMBERS = re.compile(r"[0-9]+(?:\.[0-9]+)*")


def is_artifact_version_older_than(artifact: Artifact, artifact_version: str) -> bool:
    """Whether an older version wrote the artifact; one that no store knows yet is new.

    An artifact of a store that has no version is from before there were versions.
    """
    if not artifact.state:
        return False
    if not artifact.has_custom_property(ARTIFACT_TFX_VERSION_CUSTOM_PROPERTY_KEY):
        return True
    own = artifact.get_string_custom_property(ARTIFACT_TFX_VERSION_CUSTOM_PROPERTY_KEY)
    return _order(own) < _order(artifact_version)


def _order(version: str) -> tuple[list[int], bool]:
    """What versions are sorted by: their numbers, and a release after its candidates."""
    found = _NUMBERS.match(version)
    numbers = [int(number) for number in found.group().split(".")] if found else []
    while numbers and numbers[-1] == 0:
        numbers.pop()
    is_release = found is not None and found.end() == len(version)
    return numbers, is_release
