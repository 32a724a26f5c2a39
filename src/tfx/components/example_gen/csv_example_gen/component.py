"""`trainwright.components.example_gen.csv_example_gen.component` under the name that TFX gives it."""

from trainwright.components.example_gen.csv_example_gen.component import (
    CsvExampleGen as CsvExampleGen,
)
