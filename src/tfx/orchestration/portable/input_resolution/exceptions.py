"""`trainwright.dsl.input_resolution.exceptions` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.dsl.input_resolution.exceptions import (
        FailedPreconditionError as FailedPreconditionError,
    )
    from trainwright.dsl.input_resolution.exceptions import (
        InputResolutionError as InputResolutionError,
    )
    from trainwright.dsl.input_resolution.exceptions import (
        InputResolutionSignal as InputResolutionSignal,
    )
    from trainwright.dsl.input_resolution.exceptions import (
        InsufficientInputError as InsufficientInputError,
    )
    from trainwright.dsl.input_resolution.exceptions import InternalError as InternalError
    from trainwright.dsl.input_resolution.exceptions import InvalidArgument as InvalidArgument
    from trainwright.dsl.input_resolution.exceptions import SkipSignal as SkipSignal
    from trainwright.dsl.input_resolution.exceptions import UnimplementedError as UnimplementedError
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.dsl.input_resolution.exceptions": (
                "FailedPreconditionError",
                "InputResolutionError",
                "InputResolutionSignal",
                "InsufficientInputError",
                "InternalError",
                "InvalidArgument",
                "SkipSignal",
                "UnimplementedError",
            ),
        },
    )
