"""TFX's paths to the BulkInferrer."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from tfx.components.bulk_inferrer import component as component
    from tfx.components.bulk_inferrer import executor as executor
    from tfx.components.bulk_inferrer import (
        prediction_to_example_utils as prediction_to_example_utils,
    )
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {},
        other_modules=("component", "executor", "prediction_to_example_utils"),
    )
