"""The nodes without an executor, under TFX's path."""
