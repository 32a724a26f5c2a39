"""Placeholders, under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from tfx.dsl.placeholder import artifact_placeholder as artifact_placeholder
    from tfx.dsl.placeholder import placeholder as placeholder
    from tfx.dsl.placeholder import placeholder_base as placeholder_base
    from tfx.dsl.placeholder import proto_placeholder as proto_placeholder
    from tfx.dsl.placeholder import runtime_placeholders as runtime_placeholders
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {},
        other_modules=(
            "artifact_placeholder",
            "placeholder",
            "placeholder_base",
            "proto_placeholder",
            "runtime_placeholders",
        ),
    )
