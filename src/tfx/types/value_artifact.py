"""`trainwright.types.value_artifact` under TFX's path."""

from trainwright.types.value_artifact import ValueArtifact as ValueArtifact
