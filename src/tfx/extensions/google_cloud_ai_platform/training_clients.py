"""`trainwright.compat.google_cloud.training_clients` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.google_cloud.training_clients import (
        AbstractJobClient as AbstractJobClient,
    )
    from trainwright.compat.google_cloud.training_clients import CAIPJobClient as CAIPJobClient
    from trainwright.compat.google_cloud.training_clients import VertexJobClient as VertexJobClient
    from trainwright.compat.google_cloud.training_clients import get_job_client as get_job_client
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.google_cloud.training_clients": (
                "AbstractJobClient",
                "CAIPJobClient",
                "VertexJobClient",
                "get_job_client",
            ),
        },
    )
