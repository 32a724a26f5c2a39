"""Pipelines as TFX's messages: what its compiler writes, and what evaluates placeholders in it."""
