"""`trainwright.compat.mlmd.events` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.mlmd.events import add_event_path as add_event_path
    from trainwright.compat.mlmd.events import contains_key as contains_key
    from trainwright.compat.mlmd.events import generate_event as generate_event
    from trainwright.compat.mlmd.events import is_pending_output_event as is_pending_output_event
    from trainwright.compat.mlmd.events import is_valid_input_event as is_valid_input_event
    from trainwright.compat.mlmd.events import is_valid_output_event as is_valid_output_event
    from trainwright.compat.mlmd.events import (
        reconstruct_artifact_id_multimap as reconstruct_artifact_id_multimap,
    )
    from trainwright.compat.mlmd.events import (
        reconstruct_artifact_multimap as reconstruct_artifact_multimap,
    )
    from trainwright.compat.mlmd.events import (
        reconstruct_inputs_and_outputs as reconstruct_inputs_and_outputs,
    )
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.mlmd.events": (
                "add_event_path",
                "contains_key",
                "generate_event",
                "is_pending_output_event",
                "is_valid_input_event",
                "is_valid_output_event",
                "reconstruct_artifact_id_multimap",
                "reconstruct_artifact_multimap",
                "reconstruct_inputs_and_outputs",
            ),
        },
    )
