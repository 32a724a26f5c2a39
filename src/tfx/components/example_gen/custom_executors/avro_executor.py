"""`trainwright.components.example_gen.avro_executor` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.components.example_gen.avro_executor import Executor as Executor
    from trainwright.components.example_gen.beam_sources import AvroToExample as __AvroToExample_

    _AvroToExample = __AvroToExample_
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.components.example_gen.avro_executor": ("Executor",),
            "trainwright.components.example_gen.beam_sources": ("AvroToExample as _AvroToExample",),
        },
    )
