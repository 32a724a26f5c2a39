"""`trainwright.components.transform.component` under TFX's path."""

from trainwright.components.transform.component import Transform as Transform
