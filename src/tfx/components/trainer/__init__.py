"""TFX's paths to the Trainer."""
