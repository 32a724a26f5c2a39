"""`trainwright.components.tuner.executor` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.components.tuner.executor import Executor as Executor
    from trainwright.components.tuner.executor import get_tune_args as get_tune_args
    from trainwright.components.tuner.executor import search as search
    from trainwright.components.tuner.executor import (
        write_best_hyperparameters as write_best_hyperparameters,
    )
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.components.tuner.executor": (
                "Executor",
                "get_tune_args",
                "search",
                "write_best_hyperparameters",
            ),
        },
    )
