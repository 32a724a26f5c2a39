"""`trainwright.components.trainer.fn_args` under TFX's path."""

from trainwright.components.trainer.fn_args import DataAccessor as DataAccessor
from trainwright.components.trainer.fn_args import FnArgs as FnArgs
from trainwright.components.trainer.fn_args import make_common_fn_args as get_common_fn_args

__all__ = ["DataAccessor", "FnArgs", "get_common_fn_args"]
