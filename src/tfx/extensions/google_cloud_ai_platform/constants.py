"""`trainwright.compat.google_cloud.keys` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.google_cloud.keys import ENABLE_VERTEX_KEY as ENABLE_VERTEX_KEY
    from trainwright.compat.google_cloud.keys import ENDPOINT_ARGS_KEY as ENDPOINT_ARGS_KEY
    from trainwright.compat.google_cloud.keys import SERVING_ARGS_KEY as SERVING_ARGS_KEY
    from trainwright.compat.google_cloud.keys import (
        VERTEX_CONTAINER_IMAGE_URI_KEY as VERTEX_CONTAINER_IMAGE_URI_KEY,
    )
    from trainwright.compat.google_cloud.keys import VERTEX_REGION_KEY as VERTEX_REGION_KEY
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.google_cloud.keys": (
                "ENABLE_VERTEX_KEY",
                "ENDPOINT_ARGS_KEY",
                "SERVING_ARGS_KEY",
                "VERTEX_CONTAINER_IMAGE_URI_KEY",
                "VERTEX_REGION_KEY",
            ),
        },
    )
