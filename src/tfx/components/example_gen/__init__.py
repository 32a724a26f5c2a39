"""TFX's paths to components that make examples."""
