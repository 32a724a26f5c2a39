"""TFX's names for the generated modules about pipeline runs."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from tfx.proto.orchestration import driver_output_pb2 as driver_output_pb2
    from tfx.proto.orchestration import executable_spec_pb2 as executable_spec_pb2
    from tfx.proto.orchestration import execution_hook_pb2 as execution_hook_pb2
    from tfx.proto.orchestration import execution_invocation_pb2 as execution_invocation_pb2
    from tfx.proto.orchestration import execution_result_pb2 as execution_result_pb2
    from tfx.proto.orchestration import execution_watcher_pb2 as execution_watcher_pb2
    from tfx.proto.orchestration import (
        garbage_collection_policy_pb2 as garbage_collection_policy_pb2,
    )
    from tfx.proto.orchestration import local_deployment_config_pb2 as local_deployment_config_pb2
    from tfx.proto.orchestration import metadata_pb2 as metadata_pb2
    from tfx.proto.orchestration import pipeline_pb2 as pipeline_pb2
    from tfx.proto.orchestration import placeholder_pb2 as placeholder_pb2
    from tfx.proto.orchestration import platform_config_pb2 as platform_config_pb2
    from tfx.proto.orchestration import run_state_pb2 as run_state_pb2
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {},
        other_modules=(
            "driver_output_pb2",
            "executable_spec_pb2",
            "execution_hook_pb2",
            "execution_invocation_pb2",
            "execution_result_pb2",
            "execution_watcher_pb2",
            "garbage_collection_policy_pb2",
            "local_deployment_config_pb2",
            "metadata_pb2",
            "pipeline_pb2",
            "placeholder_pb2",
            "platform_config_pb2",
            "run_state_pb2",
        ),
    )
