"""Names of `tfx.types` that only TFX programs import."""
