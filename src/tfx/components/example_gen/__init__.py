"""TFX's paths to components that make examples."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from tfx.components.example_gen import base_example_gen_executor as base_example_gen_executor
    from tfx.components.example_gen import component as component
    from tfx.components.example_gen import csv_example_gen as csv_example_gen
    from tfx.components.example_gen import custom_executors as custom_executors
    from tfx.components.example_gen import driver as driver
    from tfx.components.example_gen import import_example_gen as import_example_gen
    from tfx.components.example_gen import input_processor as input_processor
    from tfx.components.example_gen import utils as utils
    from tfx.components.example_gen import write_split as write_split
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {},
        other_modules=(
            "base_example_gen_executor",
            "component",
            "csv_example_gen",
            "custom_executors",
            "driver",
            "import_example_gen",
            "input_processor",
            "utils",
            "write_split",
        ),
    )
