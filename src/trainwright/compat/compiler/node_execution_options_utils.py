"""NodeExecutionOptions as a message."""

from __future__ import annotations

from typing import Any

from trainwright.dsl.node_options import NodeExecutionOptions
from trainwright.proto.orchestration import pipeline_pb2


def compile_node_execution_options(
    options_py: NodeExecutionOptions,
) -> pipeline_pb2.NodeExecutionOptions:
    """The options of a node as compiled pipelines hold them."""
    options: Any = pipeline_pb2.NodeExecutionOptions(
        node_success_optional=options_py.success_optional,
        execution_timeout_sec=options_py.execution_timeout_sec,
        reset_stateful_working_dir=options_py.reset_stateful_working_dir,
    )
    options.strategy = int(options_py.trigger_strategy)
    options.run_mode = int(options_py._run_mode)
    if options_py.max_execution_retries is not None:
        options.max_execution_retries = options_py.max_execution_retries
    if options_py.lifetime_start:
        options.resource_lifetime.lifetime_start = options_py.lifetime_start
    return options  # type: ignore[no-any-return]
