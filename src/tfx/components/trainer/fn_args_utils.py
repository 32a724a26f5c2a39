"""`trainwright.components.user_training.fn_args` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.components.user_training.fn_args import DataAccessor as DataAccessor
    from trainwright.components.user_training.fn_args import FnArgs as FnArgs
    from trainwright.components.user_training.fn_args import (
        make_common_fn_args as _get_common_fn_args_,
    )

    get_common_fn_args = _get_common_fn_args_
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.components.user_training.fn_args": (
                "DataAccessor",
                "FnArgs",
                "make_common_fn_args as get_common_fn_args",
            ),
        },
    )
