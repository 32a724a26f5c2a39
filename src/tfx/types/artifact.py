"""`trainwright.types.artifact` under TFX's path."""

from trainwright.types.artifact import Artifact as Artifact
from trainwright.types.artifact import ArtifactState as ArtifactState
from trainwright.types.artifact import Property as Property
from trainwright.types.artifact import PropertyType as PropertyType
