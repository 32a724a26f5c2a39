"""Partial-run inputs: the earlier outputs of nodes that a partial run leaves out but reads from."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass

from trainwright.dsl.base_node import BaseNode
from trainwright.metadata import contexts
from trainwright.metadata.internal_properties import NODE_ID, REUSED_EXECUTION
from trainwright.metadata.records import ExecutionRecord, ExecutionState
from trainwright.metadata.run_lookup import find_run_record
from trainwright.metadata.store import MetadataStore
from trainwright.orchestration.publishing.published_outputs import (
    Records,
    find_damaged_output,
    outputs_of,
    result_of,
)

_EXECUTIONS_TO_LOOK_AT = 20


@dataclass(frozen=True, kw_only=True)
class ReusedOutputs:
    """The outputs of a node that is not run, and the execution that they come from."""

    node: BaseNode
    execution: ExecutionRecord
    outputs: Records


def find_reused_outputs(
    store: MetadataStore, pipeline_name: str, node: BaseNode, base_run_id: str | None
) -> ReusedOutputs:
    """The newest whole outputs of a node, or those of one run; raises ValueError if none are."""
    complaint = _why_unfinished(store, node, base_run_id)
    for execution in _finished(store, pipeline_name, node, base_run_id):
        outputs = outputs_of(store, execution.id)
        if node.CHOOSES_ARTIFACTS:  # which may have found nothing
            outputs = {key: outputs.get(key, []) for key in node.outputs}
        maker = execution.custom_properties.get(REUSED_EXECUTION, execution.id)
        damage = find_damaged_output(maker, outputs, result_of(store, maker))
        if damage is None and node.outputs.keys() <= outputs.keys():
            return ReusedOutputs(node=node, execution=execution, outputs=outputs)
        complaint = damage or f"execution {execution.id} does not have all of its outputs"
    where = f" in run {base_run_id!r}" if base_run_id else ""
    raise ValueError(
        f"{node.id} is not part of this run, and its outputs{where} cannot be used: {complaint}. "
        f"Include it: begin with {node.id} or a node before it."
    )


def _why_unfinished(store: MetadataStore, node: BaseNode, base_run_id: str | None) -> str:
    if base_run_id is not None:
        with contextlib.suppress(LookupError):
            for other in find_run_record(store, base_run_id).nodes:
                if other.node_id == node.id and other.skip_reason is not None:
                    return f"it was skipped there: {other.skip_reason}"
    return "no earlier run has finished it"


def _finished(
    store: MetadataStore, pipeline_name: str, node: BaseNode, base_run_id: str | None
) -> list[ExecutionRecord]:
    states = [ExecutionState.COMPLETE, ExecutionState.CACHED]
    if base_run_id is None:
        context = contexts.node_context(pipeline_name, node.id)
        return store.get_executions(context=context, states=states, limit=_EXECUTIONS_TO_LOOK_AT)
    try:
        base_run = find_run_record(store, base_run_id)
    except LookupError as error:
        raise ValueError(str(error)) from error
    return [
        execution
        for execution in store.get_executions(
            context=contexts.run_context(base_run.run_id), states=states
        )
        if execution.custom_properties.get(NODE_ID) == node.id
    ]
