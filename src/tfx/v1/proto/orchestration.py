"""Messages about pipeline runs. `RunState` is imported when it is first used."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.proto.orchestration import RunState as RunState
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.proto.orchestration": ("RunState",),
        },
    )
