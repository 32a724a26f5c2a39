"""`trainwright.dsl.strategies.latest_artifact_strategy` under TFX's path."""

from trainwright.dsl.strategies.latest_artifact_strategy import (
    LatestArtifactStrategy as LatestArtifactStrategy,
)
