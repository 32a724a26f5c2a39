"""`trainwright.compat.mlmd.contexts` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.mlmd.contexts import (
        CONTEXT_TYPE_EXECUTION_CACHE as CONTEXT_TYPE_EXECUTION_CACHE,
    )
    from trainwright.compat.mlmd.contexts import prepare_contexts as prepare_contexts
    from trainwright.compat.mlmd.contexts import (
        put_parent_context_if_not_exists as put_parent_context_if_not_exists,
    )
    from trainwright.compat.mlmd.contexts import (
        register_context_if_not_exists as register_context_if_not_exists,
    )
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.mlmd.contexts": (
                "CONTEXT_TYPE_EXECUTION_CACHE",
                "prepare_contexts",
                "put_parent_context_if_not_exists",
                "register_context_if_not_exists",
            ),
        },
    )
