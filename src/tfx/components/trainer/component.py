"""`trainwright.components.trainer.component` under TFX's path."""

from trainwright.components.trainer.component import Trainer as Trainer
