"""The names of models' directories, and of kinds of models."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.types.model_paths import EVAL_MODEL_DIR as EVAL_MODEL_DIR
    from trainwright.types.model_paths import SERVING_MODEL_DIR as SERVING_MODEL_DIR
    from trainwright.types.model_paths import STAMPED_MODEL_DIR as STAMPED_MODEL_DIR
    from trainwright.types.model_paths import TF_ESTIMATOR as TF_ESTIMATOR
    from trainwright.types.model_paths import TF_GENERIC as TF_GENERIC
    from trainwright.types.model_paths import TF_JS as TF_JS
    from trainwright.types.model_paths import TF_KERAS as TF_KERAS
    from trainwright.types.model_paths import TF_LITE as TF_LITE
    from trainwright.types.model_paths import TFMA_EVAL as TFMA_EVAL
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.types.model_paths": (
                "EVAL_MODEL_DIR",
                "SERVING_MODEL_DIR",
                "STAMPED_MODEL_DIR",
                "TFMA_EVAL",
                "TF_ESTIMATOR",
                "TF_GENERIC",
                "TF_JS",
                "TF_KERAS",
                "TF_LITE",
            ),
        },
    )
