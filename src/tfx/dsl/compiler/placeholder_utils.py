"""Evaluation of encoded placeholders, under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.compiler.expression_text import debug_str as debug_str
    from trainwright.compat.compiler.expression_text import (
        get_all_types_in_placeholder_expression as get_all_types_in_placeholder_expression,
    )
    from trainwright.compat.compiler.expression_text import (
        get_binary_operator_names as get_binary_operator_names,
    )
    from trainwright.compat.compiler.expression_text import (
        get_nary_operator_names as get_nary_operator_names,
    )
    from trainwright.compat.compiler.expression_text import (
        get_unary_operator_names as get_unary_operator_names,
    )
    from trainwright.compat.compiler.placeholder_expressions import (
        NullDereferenceError as NullDereferenceError,
    )
    from trainwright.compat.compiler.placeholder_expressions import (
        PlaceholderResolvedTypeHints as PlaceholderResolvedTypeHints,
    )
    from trainwright.compat.compiler.placeholder_expressions import (
        ResolutionContext as ResolutionContext,
    )
    from trainwright.compat.compiler.placeholder_expressions import (
        resolve_placeholder_expression as resolve_placeholder_expression,
    )
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.compiler.expression_text": (
                "debug_str",
                "get_all_types_in_placeholder_expression",
                "get_binary_operator_names",
                "get_nary_operator_names",
                "get_unary_operator_names",
            ),
            "trainwright.compat.compiler.placeholder_expressions": (
                "NullDereferenceError",
                "PlaceholderResolvedTypeHints",
                "ResolutionContext",
                "resolve_placeholder_expression",
            ),
        },
    )
