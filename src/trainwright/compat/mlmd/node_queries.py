"""Queries of a store: what a node of a pipeline has run and made."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from trainwright.compat.ml_metadata.metadata_store import (
    ListOptions,
    MetadataStore,
    OrderByField,
)
from trainwright.compat.mlmd.events import (
    is_valid_output_event,
    reconstruct_artifact_id_multimap,
)
from trainwright.compat.mlmd.filter_queries import And, to_sql_string
from trainwright.metadata.contexts import NODE, PIPELINE_RUN, node_context
from trainwright.proto.mlmd.metadata_store_pb2 import Artifact, Execution


def get_node_executions(
    store: MetadataStore,
    *,
    pipeline_id: str,
    node_id: str,
    pipeline_run_id: str | None = None,
    order_by: OrderByField = OrderByField.ID,
    is_asc: bool = True,
    execution_states: Sequence[Execution.State] | None = None,
    min_last_update_time_since_epoch: int | None = None,
) -> Sequence[Execution]:
    """The executions of a node.

    Args:
        pipeline_run_id: Only those of this run.
        order_by: What orders them, from the smallest if `is_asc`.
        execution_states: Only those in one of these states, if there are any.
        min_last_update_time_since_epoch: Only those that changed at this time, in milliseconds,
            or later.
    """
    query = _of_node(pipeline_id, node_id, pipeline_run_id)
    if execution_states:
        names = ", ".join(Execution.State.Name(state) for state in execution_states)
        query.append(f"last_known_state IN ({names})")
    if min_last_update_time_since_epoch:
        query.append(f"last_update_time_since_epoch >= {min_last_update_time_since_epoch}")
    options = ListOptions(filter_query=str(query), order_by=order_by, is_asc=is_asc)
    return store.get_executions(list_options=options)


def get_live_output_artifacts_of_node_by_output_key(
    store: MetadataStore,
    *,
    pipeline_id: str,
    node_id: str,
    pipeline_run_id: str | None = None,
    execution_states: Sequence[Execution.State] | None = None,
) -> Mapping[str, Sequence[Sequence[Artifact]]]:
    """The outputs of a node that are LIVE: for each key a list for each execution, newest first.

    An execution whose outputs under a key are all gone has an empty list there.
    """
    query = And([_of_node(pipeline_id, node_id, pipeline_run_id), "state = LIVE"])
    live = {artifact.id: artifact for artifact in store.get_artifacts(query.list_options())}
    if not live:
        return {}
    executions = get_node_executions(
        store,
        pipeline_id=pipeline_id,
        node_id=node_id,
        pipeline_run_id=pipeline_run_id,
        order_by=OrderByField.CREATE_TIME,
        is_asc=False,
        execution_states=execution_states,
        # An execution changes last when its outputs are there.
        min_last_update_time_since_epoch=min(one.create_time_since_epoch for one in live.values()),
    )
    events = store.get_events_by_execution_ids(execution.id for execution in executions)
    result: defaultdict[str, list[list[Artifact]]] = defaultdict(list)
    for execution in executions:
        outputs = reconstruct_artifact_id_multimap(
            [
                event
                for event in events
                if event.execution_id == execution.id and is_valid_output_event(event)
            ]
        )
        for key, ids in outputs.items():
            result[key].append([live[one] for one in ids if one in live])
    return result


def get_live_output_artifacts_of_node(
    store: MetadataStore, *, pipeline_id: str, node_id: str
) -> Sequence[Artifact]:
    """All outputs of a node that are LIVE."""
    by_key = get_live_output_artifacts_of_node_by_output_key(
        store, pipeline_id=pipeline_id, node_id=node_id
    )
    return [one for groups in by_key.values() for group in groups for one in group]


def _of_node(pipeline_id: str, node_id: str, pipeline_run_id: str | None) -> And:
    """The condition that artifacts and executions are in a node's context."""
    query = And(
        [
            f"contexts_0.type = {to_sql_string(NODE)}",
            f"contexts_0.name = {to_sql_string(node_context(pipeline_id, node_id).name)}",
        ]
    )
    if pipeline_run_id:
        query.append(f"contexts_1.type = {to_sql_string(PIPELINE_RUN)}")
        query.append(f"contexts_1.name = {to_sql_string(pipeline_run_id)}")
    return query
