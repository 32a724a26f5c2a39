"""Ways to choose among the artifacts that there are, a file each."""

from trainwright.dsl.strategies.latest_artifact_strategy import (
    LatestArtifactStrategy as LatestArtifactStrategy,
)
from trainwright.dsl.strategies.latest_blessed_model_strategy import (
    LatestBlessedModelStrategy as LatestBlessedModelStrategy,
)
from trainwright.dsl.strategies.span_range_strategy import SpanRangeStrategy as SpanRangeStrategy
