"""`trainwright.types.model_paths` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.utils.small_helpers import (
        is_old_model_artifact as is_old_model_artifact,
    )
    from trainwright.types.model_paths import EVAL_MODEL_DIR as EVAL_MODEL_DIR
    from trainwright.types.model_paths import SERVING_MODEL_DIR as SERVING_MODEL_DIR
    from trainwright.types.model_paths import TF_ESTIMATOR as TF_ESTIMATOR
    from trainwright.types.model_paths import TF_GENERIC as TF_GENERIC
    from trainwright.types.model_paths import TF_JS as TF_JS
    from trainwright.types.model_paths import TF_KERAS as TF_KERAS
    from trainwright.types.model_paths import TF_LITE as TF_LITE
    from trainwright.types.model_paths import TFMA_EVAL as TFMA_EVAL
    from trainwright.types.model_paths import eval_model_dir as eval_model_dir
    from trainwright.types.model_paths import eval_model_path as eval_model_path
    from trainwright.types.model_paths import get_model_dir_by_type as get_model_dir_by_type
    from trainwright.types.model_paths import serving_model_dir as serving_model_dir
    from trainwright.types.model_paths import serving_model_path as serving_model_path
    from trainwright.types.model_paths import stamped_model_path as stamped_model_path
    from trainwright.types.model_paths import warmup_file_path as warmup_file_path
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.utils.small_helpers": ("is_old_model_artifact",),
            "trainwright.types.model_paths": (
                "EVAL_MODEL_DIR",
                "SERVING_MODEL_DIR",
                "TFMA_EVAL",
                "TF_ESTIMATOR",
                "TF_GENERIC",
                "TF_JS",
                "TF_KERAS",
                "TF_LITE",
                "eval_model_dir",
                "eval_model_path",
                "get_model_dir_by_type",
                "serving_model_dir",
                "serving_model_path",
                "stamped_model_path",
                "warmup_file_path",
            ),
        },
    )
