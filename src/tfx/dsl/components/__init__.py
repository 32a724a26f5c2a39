"""TFX's paths to the base classes of components."""
