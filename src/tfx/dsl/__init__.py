"""What pipelines are declared with, under TFX's older paths."""
