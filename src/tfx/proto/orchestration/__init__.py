"""TFX's names for the generated modules about pipeline runs."""
