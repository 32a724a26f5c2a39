"""The parts that `@component` is made of, under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.dsl.function_component import create_component_class as create_component_class
    from trainwright.dsl.function_signature import ArgFormats as ArgFormats
    from trainwright.dsl.function_signature import assert_is_functype as assert_is_functype
    from trainwright.dsl.function_signature import (
        assert_is_top_level_func as assert_is_top_level_func,
    )
    from trainwright.dsl.function_signature import (
        assert_no_varargs_varkw as assert_no_varargs_varkw,
    )
    from trainwright.dsl.function_signature import extract_arg_defaults as extract_arg_defaults
    from trainwright.dsl.function_signature import parse_parameter_arg as parse_parameter_arg
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.dsl.function_component": ("create_component_class",),
            "trainwright.dsl.function_signature": (
                "ArgFormats",
                "assert_is_functype",
                "assert_is_top_level_func",
                "assert_no_varargs_varkw",
                "extract_arg_defaults",
                "parse_parameter_arg",
            ),
        },
    )
