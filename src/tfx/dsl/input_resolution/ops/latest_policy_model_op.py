"""`trainwright.compat.input_resolution.ops.models` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.input_resolution.ops.models import (
        LatestPolicyModel as LatestPolicyModel,
    )
    from trainwright.compat.input_resolution.ops.models import ModelRelations as ModelRelations
    from trainwright.compat.input_resolution.ops.models import Policy as Policy
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.input_resolution.ops.models": (
                "LatestPolicyModel",
                "ModelRelations",
                "Policy",
            ),
        },
    )
