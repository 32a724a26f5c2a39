"""TFX's path to the message of a component file."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from tfx.extensions.experimental.kfp_compatibility.proto import (
        kfp_component_spec_pb2 as kfp_component_spec_pb2,
    )
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {},
        other_modules=("kfp_component_spec_pb2",),
    )
