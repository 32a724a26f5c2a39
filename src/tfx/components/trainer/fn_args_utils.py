"""`trainwright.components.trainer.fn_args` under TFX's path."""

from typing import TYPE_CHECKING

from tfx._names import missing_names
from trainwright.components.trainer.fn_args import DataAccessor as DataAccessor
from trainwright.components.trainer.fn_args import FnArgs as FnArgs

if not TYPE_CHECKING:
    __getattr__ = missing_names(
        __name__,
        ("get_common_fn_args",),
    )
