"""`trainwright.components.example_gen.import_example_gen.executor` under TFX's path."""

from trainwright.components.example_gen.import_example_gen.executor import Executor as Executor
