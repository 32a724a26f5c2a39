"""Executions in a metadata store, under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.mlmd.execution_states import (
        get_execution_result as get_execution_result,
    )
    from trainwright.compat.mlmd.execution_states import get_schema_key as get_schema_key
    from trainwright.compat.mlmd.execution_states import is_execution_active as is_execution_active
    from trainwright.compat.mlmd.execution_states import (
        is_execution_canceled as is_execution_canceled,
    )
    from trainwright.compat.mlmd.execution_states import is_execution_failed as is_execution_failed
    from trainwright.compat.mlmd.execution_states import (
        is_execution_running as is_execution_running,
    )
    from trainwright.compat.mlmd.execution_states import (
        is_execution_successful as is_execution_successful,
    )
    from trainwright.compat.mlmd.execution_states import is_internal_key as is_internal_key
    from trainwright.compat.mlmd.execution_states import is_schema_key as is_schema_key
    from trainwright.compat.mlmd.execution_states import (
        remove_internal_keys as remove_internal_keys,
    )
    from trainwright.compat.mlmd.execution_states import (
        set_execution_result as set_execution_result,
    )
    from trainwright.compat.mlmd.execution_states import (
        sort_executions_newest_to_oldest as sort_executions_newest_to_oldest,
    )
    from trainwright.compat.mlmd.executions import get_artifacts_dict as get_artifacts_dict
    from trainwright.compat.mlmd.executions import (
        get_executions_associated_with_all_contexts as get_executions_associated_with_all_contexts,
    )
    from trainwright.compat.mlmd.executions import get_input_artifacts as get_input_artifacts
    from trainwright.compat.mlmd.executions import get_output_artifacts as get_output_artifacts
    from trainwright.compat.mlmd.executions import (
        get_pending_output_artifacts as get_pending_output_artifacts,
    )
    from trainwright.compat.mlmd.executions import prepare_execution as prepare_execution
    from trainwright.compat.mlmd.executions import put_execution as put_execution
    from trainwright.compat.mlmd.executions import put_executions as put_executions
    from trainwright.compat.mlmd.executions import (
        register_output_artifacts as register_output_artifacts,
    )
    from trainwright.types.artifact import ArtifactState as ArtifactState
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.mlmd.execution_states": (
                "get_execution_result",
                "get_schema_key",
                "is_execution_active",
                "is_execution_canceled",
                "is_execution_failed",
                "is_execution_running",
                "is_execution_successful",
                "is_internal_key",
                "is_schema_key",
                "remove_internal_keys",
                "set_execution_result",
                "sort_executions_newest_to_oldest",
            ),
            "trainwright.compat.mlmd.executions": (
                "get_artifacts_dict",
                "get_executions_associated_with_all_contexts",
                "get_input_artifacts",
                "get_output_artifacts",
                "get_pending_output_artifacts",
                "prepare_execution",
                "put_execution",
                "put_executions",
                "register_output_artifacts",
            ),
            "trainwright.types.artifact": ("ArtifactState",),
        },
    )
