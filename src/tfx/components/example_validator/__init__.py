"""TFX's paths to the ExampleValidator."""
