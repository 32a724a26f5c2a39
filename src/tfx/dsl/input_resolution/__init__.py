"""Choice of inputs, under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from tfx.dsl.input_resolution import canned_resolver_functions as canned_resolver_functions
    from tfx.dsl.input_resolution import ops as ops
    from tfx.dsl.input_resolution import resolver_function as resolver_function
    from tfx.dsl.input_resolution import resolver_op as resolver_op
    from tfx.dsl.input_resolution import strategies as strategies
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {},
        other_modules=(
            "canned_resolver_functions",
            "ops",
            "resolver_function",
            "resolver_op",
            "strategies",
        ),
    )
