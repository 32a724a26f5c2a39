"""How inputs are chosen, under TFX's path."""
