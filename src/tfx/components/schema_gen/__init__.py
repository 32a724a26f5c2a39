"""TFX's paths to components that make schemas."""
