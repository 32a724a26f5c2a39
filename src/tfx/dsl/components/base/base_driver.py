"""`trainwright.dsl.base_driver` under the name that TFX gives it."""

from trainwright.dsl.base_driver import BaseDriver as BaseDriver
