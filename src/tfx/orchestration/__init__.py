"""How pipelines are run, under TFX's older paths."""
