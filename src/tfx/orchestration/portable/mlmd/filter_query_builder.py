"""`trainwright.compat.mlmd.filter_queries` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.mlmd.filter_queries import And as And
    from trainwright.compat.mlmd.filter_queries import Or as Or
    from trainwright.compat.mlmd.filter_queries import list_options as list_options
    from trainwright.compat.mlmd.filter_queries import to_sql_string as to_sql_string
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.mlmd.filter_queries": (
                "And",
                "Or",
                "list_options",
                "to_sql_string",
            ),
        },
    )
