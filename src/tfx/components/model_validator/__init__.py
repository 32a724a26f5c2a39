"""TFX's paths to the ModelValidator."""
