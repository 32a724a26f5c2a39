"""`trainwright.dsl.base_driver` under TFX's path."""

from trainwright.dsl.base_driver import BaseDriver as BaseDriver
