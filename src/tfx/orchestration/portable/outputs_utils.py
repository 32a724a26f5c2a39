"""`trainwright.compat.orchestration.node_outputs` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.orchestration.node_outputs import (
        RESOLVED_AT_RUNTIME as RESOLVED_AT_RUNTIME,
    )
    from trainwright.compat.orchestration.node_outputs import OutputsResolver as OutputsResolver
    from trainwright.compat.orchestration.node_outputs import (
        generate_output_artifacts as generate_output_artifacts,
    )
    from trainwright.compat.orchestration.node_outputs import (
        get_executor_output_dir as get_executor_output_dir,
    )
    from trainwright.compat.orchestration.node_outputs import (
        get_executor_output_uri as get_executor_output_uri,
    )
    from trainwright.compat.orchestration.node_outputs import get_node_dir as get_node_dir
    from trainwright.compat.orchestration.node_outputs import (
        get_orchestrator_generated_bcl_dir as get_orchestrator_generated_bcl_dir,
    )
    from trainwright.compat.orchestration.node_outputs import (
        get_stateful_working_dir_index as get_stateful_working_dir_index,
    )
    from trainwright.compat.orchestration.node_outputs import (
        get_stateful_working_directory as get_stateful_working_directory,
    )
    from trainwright.compat.orchestration.node_outputs import make_output_dirs as make_output_dirs
    from trainwright.compat.orchestration.node_outputs import make_tmp_dir as make_tmp_dir
    from trainwright.compat.orchestration.node_outputs import (
        migrate_executor_output_dir_from_stateful_working_directory as migrate_executor_output_dir_from_stateful_working_directory,
    )
    from trainwright.compat.orchestration.node_outputs import (
        populate_exec_properties as populate_exec_properties,
    )
    from trainwright.compat.orchestration.node_outputs import (
        populate_output_artifact as populate_output_artifact,
    )
    from trainwright.compat.orchestration.node_outputs import (
        remove_output_dirs as remove_output_dirs,
    )
    from trainwright.compat.orchestration.node_outputs import (
        remove_stateful_working_dir as remove_stateful_working_dir,
    )
    from trainwright.compat.orchestration.node_outputs import (
        tag_output_artifacts_with_version as tag_output_artifacts_with_version,
    )
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.orchestration.node_outputs": (
                "OutputsResolver",
                "RESOLVED_AT_RUNTIME",
                "generate_output_artifacts",
                "get_executor_output_dir",
                "get_executor_output_uri",
                "get_node_dir",
                "get_orchestrator_generated_bcl_dir",
                "get_stateful_working_dir_index",
                "get_stateful_working_directory",
                "make_output_dirs",
                "make_tmp_dir",
                "migrate_executor_output_dir_from_stateful_working_directory",
                "populate_exec_properties",
                "populate_output_artifact",
                "remove_output_dirs",
                "remove_stateful_working_dir",
                "tag_output_artifacts_with_version",
            ),
        },
    )
