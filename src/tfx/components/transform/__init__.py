"""TFX's paths to Transform."""
