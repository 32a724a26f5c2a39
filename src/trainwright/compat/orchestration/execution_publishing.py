"""Executions registered in a metadata store, and published when they end."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from trainwright.compat.mlmd.execution_states import set_execution_result
from trainwright.compat.mlmd.executions import prepare_execution, put_execution, put_executions
from trainwright.compat.mlmd.metadata import Metadata
from trainwright.compat.mlmd.property_values import unpack_executor_output_artifacts
from trainwright.compat.orchestration.output_merging import merge_updated_output_artifacts
from trainwright.compat.utils.typing_utils import ArtifactMultiDict, ArtifactMultiMap
from trainwright.proto.mlmd.metadata_store_pb2 import Context, Event, Execution, ExecutionType
from trainwright.proto.orchestration.execution_result_pb2 import ExecutorOutput
from trainwright.types.artifact import ArtifactState


def register_execution(
    metadata_handle: Metadata,
    execution_type: ExecutionType,
    contexts: Sequence[Context],
    input_artifacts: ArtifactMultiMap | None = None,
    exec_properties: Mapping[str, Any] | None = None,
    last_known_state: Execution.State = Execution.RUNNING,
) -> Execution:
    """Stores a new execution with its inputs, all of them in the contexts.

    Example:
        >>> execution = register_execution(metadata, node.node_info.type, contexts, inputs)
        >>> publish_succeeded_execution(metadata, execution.id, contexts, outputs)
    """
    execution = prepare_execution(
        metadata_handle,
        execution_type,
        last_known_state,
        exec_properties,
        # A name is unique in the store: the same request cannot make two executions.
        execution_name=str(uuid.uuid4()),
    )
    return put_execution(metadata_handle, execution, contexts, input_artifacts=input_artifacts)


def publish_succeeded_execution(
    metadata_handle: Metadata,
    execution_id: int,
    contexts: Sequence[Context],
    output_artifacts: ArtifactMultiMap | None = None,
    executor_output: ExecutorOutput | None = None,
) -> tuple[ArtifactMultiDict | None, Execution]:
    """Marks an execution as complete and its outputs as live.

    Args:
        metadata_handle: The store.
        execution_id: An execution that is stored.
        contexts: What its outputs belong to.
        output_artifacts: The outputs as they were planned.
        executor_output: What the executor says of them, and its properties and result.

    Returns:
        The outputs that were published, and the execution. Artifacts that are references are not
        published.

    Raises:
        RuntimeError: The executor's outputs do not go with those that were planned.
    """
    updated = None
    if executor_output is not None:
        updated = unpack_executor_output_artifacts(executor_output.output_artifacts)
    merged = merge_updated_output_artifacts(output_artifacts, updated)
    published = {
        key: [one for one in group if one.state != ArtifactState.REFERENCE]
        for key, group in merged.items()
    }
    for group in published.values():
        for artifact in group:
            artifact.state = ArtifactState.PUBLISHED
    execution = _stored(metadata_handle, execution_id)
    execution.last_known_state = Execution.COMPLETE
    if executor_output is not None:
        for key, value in executor_output.execution_properties.items():
            execution.custom_properties[key].CopyFrom(value)
    set_execution_result_if_not_empty(executor_output, execution)
    execution = put_execution(metadata_handle, execution, contexts, output_artifacts=published)
    return published, execution


def publish_cached_executions(
    metadata_handle: Metadata,
    contexts: Sequence[Context],
    executions: Sequence[Execution],
    output_artifacts_maps: Sequence[ArtifactMultiMap] | None = None,
) -> None:
    """Marks executions as cached: their outputs are those of earlier ones."""
    for execution in executions:
        execution.last_known_state = Execution.CACHED
    put_executions(
        metadata_handle, executions, contexts, output_artifacts_maps=output_artifacts_maps
    )


def publish_failed_execution(
    metadata_handle: Metadata,
    contexts: Sequence[Context],
    execution_id: int,
    executor_output: ExecutorOutput | None = None,
) -> None:
    """Marks an execution as failed, with the executor's result if there is one."""
    execution = _stored(metadata_handle, execution_id)
    execution.last_known_state = Execution.FAILED
    set_execution_result_if_not_empty(executor_output, execution)
    put_execution(metadata_handle, execution, contexts)


def publish_internal_execution(
    metadata_handle: Metadata,
    contexts: Sequence[Context],
    execution_id: int,
    output_artifacts: ArtifactMultiMap | None = None,
) -> None:
    """Marks an execution of the orchestrator itself as complete; its outputs are internal ones."""
    execution = _stored(metadata_handle, execution_id)
    execution.last_known_state = Execution.COMPLETE
    put_execution(
        metadata_handle,
        execution,
        contexts,
        output_artifacts=output_artifacts,
        output_event_type=Event.INTERNAL_OUTPUT,
    )


def set_execution_result_if_not_empty(
    executor_output: ExecutorOutput | None, execution: Execution
) -> None:
    """Puts the executor's result among the execution's custom properties, if it says anything."""
    if executor_output is None:
        return
    result = executor_output.execution_result
    if result.result_message or result.metadata_details or result.code:
        set_execution_result(result, execution)


def _stored(metadata_handle: Metadata, execution_id: int) -> Execution:
    (execution,) = metadata_handle.store.get_executions_by_id([execution_id])
    return execution
