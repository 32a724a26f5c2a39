"""`trainwright.components.example_gen.csv_example_gen.executor` under the name that TFX gives it."""

from trainwright.components.example_gen.csv_example_gen.executor import Executor as Executor
