"""TFX's paths to the Evaluator."""
