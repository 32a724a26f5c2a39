"""Components for AI Platform and Vertex AI, and the keys of their settings."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from tfx.v1.extensions.google_cloud_ai_platform import experimental as experimental
    from trainwright.compat.google_cloud.ai_platform import (
        CloudAIBulkInferrerComponent as _BulkInferrer_,
    )
    from trainwright.compat.google_cloud.ai_platform import Pusher as Pusher
    from trainwright.compat.google_cloud.ai_platform import Tuner as Tuner
    from trainwright.compat.google_cloud.cloud_trainer import Trainer as Trainer
    from trainwright.compat.google_cloud.keys import ENABLE_UCAIP_KEY as ENABLE_UCAIP_KEY
    from trainwright.compat.google_cloud.keys import ENABLE_VERTEX_KEY as ENABLE_VERTEX_KEY
    from trainwright.compat.google_cloud.keys import JOB_ID_KEY as JOB_ID_KEY
    from trainwright.compat.google_cloud.keys import LABELS_KEY as LABELS_KEY
    from trainwright.compat.google_cloud.keys import SERVING_ARGS_KEY as SERVING_ARGS_KEY
    from trainwright.compat.google_cloud.keys import TRAINING_ARGS_KEY as TRAINING_ARGS_KEY
    from trainwright.compat.google_cloud.keys import UCAIP_REGION_KEY as UCAIP_REGION_KEY
    from trainwright.compat.google_cloud.keys import (
        VERTEX_CONTAINER_IMAGE_URI_KEY as VERTEX_CONTAINER_IMAGE_URI_KEY,
    )
    from trainwright.compat.google_cloud.keys import VERTEX_REGION_KEY as VERTEX_REGION_KEY

    BulkInferrer = _BulkInferrer_
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.google_cloud.ai_platform": (
                "CloudAIBulkInferrerComponent as BulkInferrer",
                "Pusher",
                "Tuner",
            ),
            "trainwright.compat.google_cloud.cloud_trainer": ("Trainer",),
            "trainwright.compat.google_cloud.keys": (
                "ENABLE_UCAIP_KEY",
                "ENABLE_VERTEX_KEY",
                "JOB_ID_KEY",
                "LABELS_KEY",
                "SERVING_ARGS_KEY",
                "TRAINING_ARGS_KEY",
                "UCAIP_REGION_KEY",
                "VERTEX_CONTAINER_IMAGE_URI_KEY",
                "VERTEX_REGION_KEY",
            ),
        },
        public_modules=("experimental",),
    )
