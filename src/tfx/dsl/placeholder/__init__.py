"""Placeholders, under TFX's path."""
