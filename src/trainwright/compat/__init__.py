"""Compatibility: the code behind names of `tfx` that only TFX programs import."""
