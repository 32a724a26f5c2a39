"""Utilities that TFX programs import from `tfx.utils`, and that nothing else here uses."""
