"""`trainwright.components.example_gen.base_example_gen_executor` under TFX's path."""

from trainwright.components.example_gen.base_example_gen_executor import (
    BaseExampleGenExecutor as BaseExampleGenExecutor,
)
