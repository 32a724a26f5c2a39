"""TFX's paths to ImportExampleGen."""
