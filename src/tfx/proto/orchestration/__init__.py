"""TFX's names for the generated modules about pipeline runs."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from tfx.proto.orchestration import run_state_pb2 as run_state_pb2
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {},
        other_modules=("run_state_pb2",),
    )
