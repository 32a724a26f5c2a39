"""Inputs of ExampleGens as pipelines before TFX 0.22 give them."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.utils.dsl_utils import csv_input as csv_input
    from trainwright.compat.utils.dsl_utils import external_input as external_input
    from trainwright.compat.utils.dsl_utils import parquet_input as parquet_input
    from trainwright.compat.utils.dsl_utils import tfrecord_input as tfrecord_input
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.utils.dsl_utils": (
                "csv_input",
                "external_input",
                "parquet_input",
                "tfrecord_input",
            ),
        },
    )
