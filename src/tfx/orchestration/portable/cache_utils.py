"""`trainwright.compat.orchestration.execution_cache` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.orchestration.execution_cache import (
        get_cache_context as get_cache_context,
    )
    from trainwright.compat.orchestration.execution_cache import (
        get_cached_outputs as get_cached_outputs,
    )
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.orchestration.execution_cache": (
                "get_cache_context",
                "get_cached_outputs",
            ),
        },
    )
