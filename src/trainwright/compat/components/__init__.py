"""The parts of `tfx.components` that only TFX programs import."""
