"""`trainwright.components.evaluator.component` under TFX's path."""

from trainwright.components.evaluator.component import Evaluator as Evaluator
