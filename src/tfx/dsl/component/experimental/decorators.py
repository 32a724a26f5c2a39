"""`trainwright.dsl.function_component` under TFX's path."""

from trainwright.dsl.function_component import BaseFunctionalComponent as BaseFunctionalComponent
from trainwright.dsl.function_component import (
    BaseFunctionalComponentFactory as BaseFunctionalComponentFactory,
)
from trainwright.dsl.function_component import component as component
