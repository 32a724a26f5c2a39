"""The oldest names of what starts work on AI Platform."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.google_cloud.job_submission import (
        start_cloud_training as _start_cmle_training_,
    )
    from trainwright.compat.google_cloud.runner import (
        deploy_model_for_aip_prediction as _deploy_model_for_cmle_serving_,
    )

    start_cmle_training = _start_cmle_training_
    deploy_model_for_cmle_serving = _deploy_model_for_cmle_serving_
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.google_cloud.job_submission": (
                "start_cloud_training as start_cmle_training",
            ),
            "trainwright.compat.google_cloud.runner": (
                "deploy_model_for_aip_prediction as deploy_model_for_cmle_serving",
            ),
        },
    )
