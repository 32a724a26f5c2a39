"""`trainwright.components.example_gen.parquet_example_gen.executor` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.components.example_gen.beam_sources import (
        ParquetToExample as __ParquetToExample_,
    )
    from trainwright.components.example_gen.parquet_example_gen.executor import Executor as Executor

    _ParquetToExample = __ParquetToExample_
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.components.example_gen.beam_sources": (
                "ParquetToExample as _ParquetToExample",
            ),
            "trainwright.components.example_gen.parquet_example_gen.executor": ("Executor",),
        },
    )
