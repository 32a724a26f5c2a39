"""`trainwright.components.example_gen.import_example_gen.executor` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.components.example_gen.beam_sources import (
        ImportParquetRecord as __ImportParquetRecord_,
    )
    from trainwright.components.example_gen.beam_sources import (
        ImportSerializedRecord as __ImportSerializedRecord_,
    )
    from trainwright.components.example_gen.import_example_gen.executor import Executor as Executor

    _ImportParquetRecord = __ImportParquetRecord_
    _ImportSerializedRecord = __ImportSerializedRecord_
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.components.example_gen.beam_sources": (
                "ImportParquetRecord as _ImportParquetRecord",
                "ImportSerializedRecord as _ImportSerializedRecord",
            ),
            "trainwright.components.example_gen.import_example_gen.executor": ("Executor",),
        },
    )
