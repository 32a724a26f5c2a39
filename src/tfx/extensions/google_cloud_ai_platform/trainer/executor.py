"""`trainwright.compat.google_cloud.cloud_trainer` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.google_cloud.cloud_trainer import GenericExecutor as GenericExecutor
    from trainwright.compat.google_cloud.cloud_trainer import TrainerExecutor as _Executor_
    from trainwright.compat.google_cloud.keys import ENABLE_UCAIP_KEY as ENABLE_UCAIP_KEY
    from trainwright.compat.google_cloud.keys import JOB_ID_KEY as JOB_ID_KEY
    from trainwright.compat.google_cloud.keys import LABELS_KEY as LABELS_KEY
    from trainwright.compat.google_cloud.keys import TRAINING_ARGS_KEY as TRAINING_ARGS_KEY
    from trainwright.compat.google_cloud.keys import UCAIP_REGION_KEY as UCAIP_REGION_KEY

    Executor = _Executor_
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.google_cloud.cloud_trainer": (
                "GenericExecutor",
                "TrainerExecutor as Executor",
            ),
            "trainwright.compat.google_cloud.keys": (
                "ENABLE_UCAIP_KEY",
                "JOB_ID_KEY",
                "LABELS_KEY",
                "TRAINING_ARGS_KEY",
                "UCAIP_REGION_KEY",
            ),
        },
    )
