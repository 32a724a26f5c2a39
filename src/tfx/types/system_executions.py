"""The base types of components."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.types.system_types import Deploy as Deploy
    from trainwright.types.system_types import Evaluate as Evaluate
    from trainwright.types.system_types import Process as Process
    from trainwright.types.system_types import SystemExecution as SystemExecution
    from trainwright.types.system_types import Train as Train
    from trainwright.types.system_types import Transform as Transform
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.types.system_types": (
                "Deploy",
                "Evaluate",
                "Process",
                "SystemExecution",
                "Train",
                "Transform",
            ),
        },
    )
