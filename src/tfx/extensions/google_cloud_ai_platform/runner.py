"""`trainwright.compat.google_cloud.runner` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.google_cloud.job_submission import (
        start_cloud_training as start_cloud_training,
    )
    from trainwright.compat.google_cloud.runner import DEFAULT_ENDPOINT as DEFAULT_ENDPOINT
    from trainwright.compat.google_cloud.runner import (
        create_model_for_aip_prediction_if_not_exist as create_model_for_aip_prediction_if_not_exist,
    )
    from trainwright.compat.google_cloud.runner import (
        delete_model_from_aip_if_exists as delete_model_from_aip_if_exists,
    )
    from trainwright.compat.google_cloud.runner import (
        deploy_model_for_aip_prediction as deploy_model_for_aip_prediction,
    )
    from trainwright.compat.google_cloud.runner import (
        get_service_name_and_api_version as get_service_name_and_api_version,
    )
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.google_cloud.job_submission": ("start_cloud_training",),
            "trainwright.compat.google_cloud.runner": (
                "DEFAULT_ENDPOINT",
                "create_model_for_aip_prediction_if_not_exist",
                "delete_model_from_aip_if_exists",
                "deploy_model_for_aip_prediction",
                "get_service_name_and_api_version",
            ),
        },
    )
