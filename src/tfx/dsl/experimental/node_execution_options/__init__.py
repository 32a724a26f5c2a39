"""Node execution options, under TFX's path."""
