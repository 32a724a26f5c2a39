"""TFX's paths to components made from functions."""
