"""`trainwright.compat.orchestration.node_inputs` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.orchestration.node_inputs import Skip as Skip
    from trainwright.compat.orchestration.node_inputs import Trigger as Trigger
    from trainwright.compat.orchestration.node_inputs import (
        resolve_dynamic_parameters as resolve_dynamic_parameters,
    )
    from trainwright.compat.orchestration.node_inputs import (
        resolve_input_artifacts as resolve_input_artifacts,
    )
    from trainwright.compat.orchestration.node_inputs import (
        resolve_parameters as resolve_parameters,
    )
    from trainwright.compat.orchestration.node_inputs import (
        resolve_parameters_with_schema as resolve_parameters_with_schema,
    )
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.orchestration.node_inputs": (
                "Skip",
                "Trigger",
                "resolve_dynamic_parameters",
                "resolve_input_artifacts",
                "resolve_parameters",
                "resolve_parameters_with_schema",
            ),
        },
    )
