"""`trainwright.dsl.function_component` under the name that TFX gives it."""

from trainwright.dsl.function_component import BaseFunctionalComponent as BaseFunctionalComponent
from trainwright.dsl.function_component import (
    BaseFunctionalComponentFactory as BaseFunctionalComponentFactory,
)
from trainwright.dsl.function_component import component as component
