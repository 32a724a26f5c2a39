"""`trainwright.types.value_artifact` under the name that TFX gives it."""

from trainwright.types.value_artifact import ValueArtifact as ValueArtifact
