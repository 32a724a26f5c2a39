"""`trainwright.dsl.strategies.latest_blessed_model_strategy` under TFX's path."""

from trainwright.dsl.strategies.latest_blessed_model_strategy import (
    LatestBlessedModelStrategy as LatestBlessedModelStrategy,
)
