"""TFX's paths to executors for FileBasedExampleGen."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from tfx.components.example_gen.custom_executors import avro_executor as avro_executor
    from tfx.components.example_gen.custom_executors import parquet_executor as parquet_executor
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {},
        other_modules=("avro_executor", "parquet_executor"),
    )
