"""`trainwright.components.trainer.component` under the name that TFX gives it."""

from trainwright.components.trainer.component import Trainer as Trainer
