"""The names that strategies had in older versions of TFX. A Resolver that gets one warns."""

from __future__ import annotations

from trainwright.dsl.strategies.latest_artifact_strategy import LatestArtifactStrategy
from trainwright.dsl.strategies.latest_blessed_model_strategy import LatestBlessedModelStrategy
from trainwright.dsl.strategies.span_range_strategy import SpanRangeStrategy


class LatestArtifactsResolver(LatestArtifactStrategy):
    NEWER_NAME = "LatestArtifactStrategy"


class LatestBlessedModelResolver(LatestBlessedModelStrategy):
    NEWER_NAME = "LatestBlessedModelStrategy"


class SpansResolver(SpanRangeStrategy):
    NEWER_NAME = "SpanRangeStrategy"
