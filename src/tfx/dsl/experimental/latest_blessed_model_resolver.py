"""A deprecated name of a strategy, under TFX's path."""

from trainwright.dsl.strategies.deprecated_names import (
    LatestBlessedModelResolver as LatestBlessedModelResolver,
)
