"""`trainwright.components.infra_validator.types` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.components.infra_validator.types import (
        ModelServingStatus as ModelServingStatus,
    )
    from trainwright.components.infra_validator.types import Request as Request
    from trainwright.components.infra_validator.types import (
        TensorFlowServingRequest as TensorFlowServingRequest,
    )
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.components.infra_validator.types": (
                "ModelServingStatus",
                "Request",
                "TensorFlowServingRequest",
            ),
        },
    )
