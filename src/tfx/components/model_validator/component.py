"""`trainwright.components.evaluator.model_validator` under TFX's path."""

from trainwright.components.evaluator.model_validator import ModelValidator as ModelValidator
