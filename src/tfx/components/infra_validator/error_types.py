"""`trainwright.components.infra_validator.error_types` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.components.infra_validator.error_types import (
        DeadlineExceeded as DeadlineExceeded,
    )
    from trainwright.components.infra_validator.error_types import (
        GracefulShutdown as GracefulShutdown,
    )
    from trainwright.components.infra_validator.error_types import (
        InfraValidationError as InfraValidationError,
    )
    from trainwright.components.infra_validator.error_types import JobAborted as JobAborted
    from trainwright.components.infra_validator.error_types import (
        ValidationFailed as ValidationFailed,
    )
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.components.infra_validator.error_types": (
                "DeadlineExceeded",
                "GracefulShutdown",
                "InfraValidationError",
                "JobAborted",
                "ValidationFailed",
            ),
        },
    )
