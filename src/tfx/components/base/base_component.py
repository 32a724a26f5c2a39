"""`trainwright.dsl.base_component` under TFX's path."""

from trainwright.dsl.base_component import BaseComponent as BaseComponent
