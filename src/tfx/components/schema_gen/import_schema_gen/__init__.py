"""TFX's paths to ImportSchemaGen."""
