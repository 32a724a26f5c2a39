"""TFX's paths to data views."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from tfx.components.experimental.data_view import binder_component as binder_component
    from tfx.components.experimental.data_view import binder_executor as binder_executor
    from tfx.components.experimental.data_view import constants as constants
    from tfx.components.experimental.data_view import provider_component as provider_component
    from tfx.components.experimental.data_view import provider_executor as provider_executor
    from tfx.components.experimental.data_view import utils as utils
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {},
        other_modules=(
            "binder_component",
            "binder_executor",
            "constants",
            "provider_component",
            "provider_executor",
            "utils",
        ),
    )
