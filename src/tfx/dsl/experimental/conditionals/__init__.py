"""Conditions, under TFX's path."""
