"""Components for AI Platform and Vertex AI, under TFX's paths."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from tfx.extensions.google_cloud_ai_platform import bulk_inferrer as bulk_inferrer
    from tfx.extensions.google_cloud_ai_platform import cmle_runner as cmle_runner
    from tfx.extensions.google_cloud_ai_platform import constants as constants
    from tfx.extensions.google_cloud_ai_platform import pusher as pusher
    from tfx.extensions.google_cloud_ai_platform import runner as runner
    from tfx.extensions.google_cloud_ai_platform import trainer as trainer
    from tfx.extensions.google_cloud_ai_platform import training_clients as training_clients
    from tfx.extensions.google_cloud_ai_platform import tuner as tuner
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {},
        other_modules=(
            "bulk_inferrer",
            "cmle_runner",
            "constants",
            "pusher",
            "runner",
            "trainer",
            "training_clients",
            "tuner",
        ),
    )
