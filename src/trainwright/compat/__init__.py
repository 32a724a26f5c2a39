"""What only TFX programs import: the code behind names of `tfx` that Trainwright has no use for."""
