"""TFX's paths to the Trainer."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from tfx.components.trainer import component as component
    from tfx.components.trainer import constants as constants
    from tfx.components.trainer import executor as executor
    from tfx.components.trainer import fn_args_utils as fn_args_utils
    from tfx.components.trainer import rewriting as rewriting
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {},
        other_modules=("component", "constants", "executor", "fn_args_utils", "rewriting"),
    )
