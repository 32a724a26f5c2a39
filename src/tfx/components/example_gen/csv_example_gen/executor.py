"""`trainwright.components.example_gen.csv_example_gen.executor` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.components.example_gen.beam_sources import CsvToExample as __CsvToExample_
    from trainwright.components.example_gen.csv_example_gen.executor import Executor as Executor

    _CsvToExample = __CsvToExample_
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.components.example_gen.beam_sources": ("CsvToExample as _CsvToExample",),
            "trainwright.components.example_gen.csv_example_gen.executor": ("Executor",),
        },
    )
