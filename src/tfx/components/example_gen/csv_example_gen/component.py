"""`trainwright.components.example_gen.csv_example_gen.component` under TFX's path."""

from trainwright.components.example_gen.csv_example_gen.component import (
    CsvExampleGen as CsvExampleGen,
)
