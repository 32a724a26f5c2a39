"""`trainwright.dsl.function_signature` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.dsl.function_signature import ParsedSignature as ParsedSignature
    from trainwright.dsl.function_signature import (
        parse_typehint_component_function as parse_typehint_component_function,
    )
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.dsl.function_signature": (
                "ParsedSignature",
                "parse_typehint_component_function",
            ),
        },
    )
