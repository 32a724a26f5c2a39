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
    from trainwright.components.tuner.results import (
        BEST_HYPERPARAMETERS_FILE as __DEFAULT_BEST_HP_FILE_NAME_,
    )
    from trainwright.components.tuner.results import (
        RESULTS_FILE as __DEFAULT_TUNER_RESULTS_FILE_NAME_,
    )

    _DEFAULT_BEST_HP_FILE_NAME = __DEFAULT_BEST_HP_FILE_NAME_
    _DEFAULT_TUNER_RESULTS_FILE_NAME = __DEFAULT_TUNER_RESULTS_FILE_NAME_
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
            "trainwright.components.tuner.results": (
                "BEST_HYPERPARAMETERS_FILE as _DEFAULT_BEST_HP_FILE_NAME",
                "RESULTS_FILE as _DEFAULT_TUNER_RESULTS_FILE_NAME",
            ),
        },
    )
