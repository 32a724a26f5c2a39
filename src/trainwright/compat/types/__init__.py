"""What only TFX programs import of `tfx.types`."""
