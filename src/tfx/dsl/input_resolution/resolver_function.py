"""`trainwright.dsl.input_resolution.resolver_function` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.dsl.input_resolution.resolver_function import (
        ResolverFunction as ResolverFunction,
    )
    from trainwright.dsl.input_resolution.resolver_function import (
        resolver_function as resolver_function,
    )
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.dsl.input_resolution.resolver_function": (
                "ResolverFunction",
                "resolver_function",
            ),
        },
    )
