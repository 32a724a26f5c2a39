"""`trainwright.dsl.contexts` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.dsl.contexts import DslContextRegistry as DslContextRegistry
    from trainwright.dsl.contexts import get as get
    from trainwright.dsl.contexts import new_registry as new_registry
    from trainwright.dsl.contexts import use_registry as use_registry
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.dsl.contexts": (
                "DslContextRegistry",
                "get",
                "new_registry",
                "use_registry",
            ),
        },
    )
