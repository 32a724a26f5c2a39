"""TFX's paths to StatisticsGen."""
