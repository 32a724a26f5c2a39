"""Parts of TFX's DSL that it calls experimental."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from tfx.dsl.experimental import conditionals as conditionals
    from tfx.dsl.experimental import latest_artifacts_resolver as latest_artifacts_resolver
    from tfx.dsl.experimental import latest_blessed_model_resolver as latest_blessed_model_resolver
    from tfx.dsl.experimental import node_execution_options as node_execution_options
    from tfx.dsl.experimental import spans_resolver as spans_resolver
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {},
        other_modules=(
            "conditionals",
            "latest_artifacts_resolver",
            "latest_blessed_model_resolver",
            "node_execution_options",
            "spans_resolver",
        ),
    )
