"""`trainwright.dsl.base_component` under the name that TFX gives it."""

from trainwright.dsl.base_component import BaseComponent as BaseComponent
