"""TFX's path to the settings of BigQueryToElwcExampleGen."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from tfx.extensions.google_cloud_big_query.experimental.elwc_example_gen.proto import (
        elwc_config_pb2 as elwc_config_pb2,
    )
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {},
        other_modules=("elwc_config_pb2",),
    )
