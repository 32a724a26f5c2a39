"""TFX's helpers around ML Metadata: the `Metadata` handle and what is looked up through it."""
