"""`trainwright.compat.components.stats_artifact_utils` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.components.stats_artifact_utils import (
        BINARY_PB_BASENAME as BINARY_PB_BASENAME,
    )
    from trainwright.compat.components.stats_artifact_utils import (
        SHARDED_STATS_PREFIX as SHARDED_STATS_PREFIX,
    )
    from trainwright.compat.components.stats_artifact_utils import (
        TFRECORD_BASENAME as TFRECORD_BASENAME,
    )
    from trainwright.compat.components.stats_artifact_utils import (
        load_statistics as load_statistics,
    )
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.components.stats_artifact_utils": (
                "BINARY_PB_BASENAME",
                "SHARDED_STATS_PREFIX",
                "TFRECORD_BASENAME",
                "load_statistics",
            ),
        },
    )
