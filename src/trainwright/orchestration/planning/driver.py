"""The driver: decides, before a node runs, what it gets and whether it must run at all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from trainwright._version import TFX_API_VERSION
from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.base_node import BaseNode
from trainwright.dsl.importer import Importer
from trainwright.dsl.input_resolution.exceptions import SkipSignal
from trainwright.dsl.pipeline import Pipeline
from trainwright.dsl.resolver import Resolver
from trainwright.metadata import contexts
from trainwright.metadata.artifact_records import (
    artifact_type_record,
    from_record,
    ids_of,
    stored_properties,
)
from trainwright.metadata.internal_properties import (
    CACHE_KEY_PARTS,
    ERROR,
    KEPT_OUTPUTS,
    MARK,
    REUSED_EXECUTION,
    RUN_ID,
    SOURCE_FILES,
)
from trainwright.metadata.leases import current_lease
from trainwright.metadata.records import (
    ArtifactRecord,
    ContextKey,
    ExecutionRecord,
    ExecutionState,
)
from trainwright.metadata.store import ArtifactDeletedError, MetadataStore, OvertakenError
from trainwright.orchestration.active_runs import is_worked_on
from trainwright.orchestration.cleanup.recovery import end_dead_execution
from trainwright.orchestration.lookups.lookup_nodes import LookupNodes
from trainwright.orchestration.planning.execution_labels import ExecutionLabels, execution_type
from trainwright.orchestration.planning.node_resolution import (
    NodeResolver,
    ResolvedNode,
    qualified_name,
)
from trainwright.orchestration.planning.prepared_nodes import (
    BusyNode,
    CachedNode,
    PreparedNode,
    SkippedNode,
    StartedNode,
)
from trainwright.orchestration.planning.result_cache import CacheAnswer, ResultCache
from trainwright.orchestration.planning.skipping import why_skipped
from trainwright.orchestration.publishing import claims, layout
from trainwright.orchestration.publishing.published_outputs import Records
from trainwright.orchestration.publishing.publisher import Publisher
from trainwright.types.artifact import Artifact
from trainwright.types.channel import OutputChannel


class Driver:
    """Prepares the nodes of one run.

    Args:
        pipeline: What is run.
        pipeline_root: Where its artifacts go.
        run_id: The run's id.
        store: What is remembered.
        publisher: Ends executions that a dead run left behind.
        resolver: Finds what a node gets.
        cache: Finds what can be reused.
    """

    def __init__(
        self,
        pipeline: Pipeline,
        *,
        pipeline_root: str,
        run_id: str,
        store: MetadataStore,
        publisher: Publisher,
        resolver: NodeResolver,
        cache: ResultCache,
    ) -> None:
        self._pipeline = pipeline
        self._root = pipeline_root
        self._run_id = run_id
        self._store = store
        self._publisher = publisher
        self._resolver = resolver
        self._cache = cache
        self._labels = ExecutionLabels(pipeline.pipeline_name, run_id)
        self._lookups = LookupNodes(store, publisher, resolver, self._labels)
        self._registered: set[int] = set()
        self._skipped: dict[str, str] = {}

    def prepare(self, node: BaseNode, made: Mapping[str, Records]) -> PreparedNode:
        """Resolves inputs and properties, then reuses a finished execution or registers a new one.

        A node that its condition keeps from running has no execution, as in TFX. `made` holds the
        outputs of the nodes that this run has finished, by node id.
        """
        reason = why_skipped(node, made, self._skipped)
        if reason is not None:
            return self._skip(node, reason)
        try:
            if isinstance(node, Resolver):
                return self._lookups.choose(node, made, may_reuse=uses_cache(node, self._pipeline))
            if isinstance(node, Importer):
                return self._lookups.import_artifact(node, made)
            assert isinstance(node, BaseComponent), "pipeline_check lets no other node pass"
            resolved = self._resolver.resolve(node, made)
        except SkipSignal as signal:
            return self._skip(node, f"its inputs are not to be used: {signal}")
        if not uses_cache(node, self._pipeline):
            return self._register(resolved, why_uncached(node), last_seen=None)
        while True:
            answer = self._cache.look_up(resolved)
            try:
                return self._act_on(answer, resolved)
            except (OvertakenError, ArtifactDeletedError):
                # Between the question and the answer somebody else began or finished the same
                # work, or the garbage collector took the outputs: ask again.
                continue

    def _skip(self, node: BaseNode, reason: str) -> SkippedNode:
        """Remembers with the run that the node was skipped."""
        self._store.update_run(self._run_id, skipped={node.id: reason})
        self._skipped[node.id] = reason
        return SkippedNode(reason=reason)

    def _act_on(
        self, answer: CacheAnswer, resolved: ResolvedNode
    ) -> CachedNode | StartedNode | BusyNode:
        if answer.execution is not None:
            return self._reuse(resolved, answer.execution, answer.outputs, answer.reason)
        now = self._store.now()
        for execution in answer.running:
            if not self._is_lost(execution) and is_worked_on(execution, now):
                return BusyNode(execution=execution)
        if answer.running:
            for execution in answer.running:
                end_dead_execution(self._publisher, execution)
            raise OvertakenError("A run that died may have left its result: it is published now.")
        context = contexts.cache_context(resolved.cache_key)
        return self._register(resolved, answer.reason, (context, answer.last_seen))

    def _is_lost(self, execution: ExecutionRecord) -> bool:
        """Whether this run registered the execution but never heard so from the store."""
        is_own = execution.custom_properties.get(RUN_ID) == self._run_id
        return is_own and execution.id not in self._registered

    def _reuse(
        self, resolved: ResolvedNode, reused: ExecutionRecord, outputs: Records, reason: str
    ) -> CachedNode:
        node = resolved.node
        execution = self._store.record_finished_execution(
            execution_type(node),
            state=ExecutionState.CACHED,
            contexts=self._labels.contexts(node, resolved.cache_key),
            inputs=ids_of({**resolved.inputs, **resolved.hidden}),
            outputs=ids_of(outputs),
            custom_properties={
                **self._stored_properties(resolved, reason),
                REUSED_EXECUTION: reused.id,
            },
            attachments=({SOURCE_FILES: resolved.source_files} if resolved.has_new_digests else {}),
        )
        return CachedNode(
            execution=execution, reused_execution_id=reused.id, outputs=outputs, reason=reason
        )

    def reuse_from_before(
        self, node: BaseNode, reused: ExecutionRecord, outputs: Records
    ) -> CachedNode:
        """Takes over the outputs of a node that this run leaves out."""
        maker = reused.custom_properties.get(REUSED_EXECUTION, reused.id)
        reason = f"not selected; takes the outputs of execution {maker}"
        execution = self._store.record_finished_execution(
            execution_type(node),
            state=ExecutionState.CACHED,
            contexts=self._labels.contexts(node),
            inputs={},
            outputs=ids_of(outputs),
            custom_properties={
                **self._labels.properties(node, reason),
                REUSED_EXECUTION: maker,
            },
        )
        return CachedNode(
            execution=execution, reused_execution_id=maker, outputs=outputs, reason=reason
        )

    def _register(
        self, resolved: ResolvedNode, reason: str, last_seen: tuple[ContextKey, int] | None
    ) -> StartedNode:
        node, token, leaf = resolved.node, claims.make_token(), ""
        kept = _kept_outputs(node.outputs)
        earlier_outputs = self._publisher.earlier_outputs(resolved.cache_key) if kept else {}

        def pending_outputs(execution_id: int) -> Records:
            nonlocal leaf
            leaf = layout.choose_leaf(self._root, node.id, node.outputs, execution_id)
            return {
                key: [_pending_output(channel, self._root, leaf)]
                for key, channel in node.outputs.items()
            }

        execution, outputs = self._store.register_execution(
            execution_type(node),
            contexts=self._labels.contexts(node, resolved.cache_key),
            inputs=ids_of({**resolved.inputs, **resolved.hidden}),
            pending_outputs=pending_outputs,
            custom_properties={
                **self._stored_properties(resolved, reason),
                **kept,
            },
            lease=current_lease(),
            attachments={
                CACHE_KEY_PARTS: resolved.parts.to_json(),
                SOURCE_FILES: resolved.source_files,
                MARK: token,
            },
            last_seen=last_seen,
        )
        self._registered.add(execution.id)
        return StartedNode(
            execution=execution,
            directory=layout.execution_directory(self._root, node.id, leaf),
            token=token,
            input_dict=_typed(resolved.inputs, {k: c.type for k, c in node.inputs.items()}),
            output_dict=_typed(outputs, {k: c.type for k, c in node.outputs.items()}),
            exec_properties=resolved.properties,
            earlier_outputs=earlier_outputs,
            reason=reason,
        )

    def record_refusal(self, node: BaseNode, error: str) -> ExecutionRecord:
        """Remembers that a node failed before it could be registered."""
        return self._store.record_finished_execution(
            execution_type(node),
            state=ExecutionState.FAILED,
            contexts=self._labels.contexts(node),
            inputs={},
            outputs={},
            custom_properties={**self._labels.properties(node), ERROR: error},
        )

    def _stored_properties(self, resolved: ResolvedNode, reason: str) -> dict[str, Any]:
        private = resolved.node.DRIVER_CLASS.PRIVATE_PROPERTIES
        stored = {
            name: qualified_name(value) if callable(value) else value
            for name, value in resolved.properties.items()
            if value is not None and not name.startswith("_") and name not in private
        }
        return {**stored, **self._labels.properties(resolved.node, reason)}


def uses_cache(node: BaseNode, pipeline: Pipeline) -> bool:
    """Whether the node may be reused: its own switch, or else the pipeline's."""
    switch = node.options.enable_cache
    return pipeline.enable_cache if switch is None else switch


def why_uncached(node: BaseNode) -> str:
    if node.options.enable_cache is False:
        return "its own cache is off"
    return "the pipeline's cache is off"


def _kept_outputs(outputs: Mapping[str, OutputChannel]) -> dict[str, Any]:
    """What is worth keeping if the node fails: whoever sweeps knows types by name only."""
    kept = [key for key, channel in outputs.items() if channel.type.KEPT_ON_FAILURE]
    return {KEPT_OUTPUTS: kept} if kept else {}


def _pending_output(channel: OutputChannel, root: str, leaf: str) -> ArtifactRecord:
    key = channel.output_key or ""
    return ArtifactRecord(
        type=artifact_type_record(channel.type),
        uri=layout.output_uri(root, channel.producer_id, key, leaf, channel.type),
        properties=stored_properties(channel.additional_properties),
        custom_properties={
            **stored_properties(channel.additional_custom_properties),
            "tfx_version": TFX_API_VERSION,
            "is_external": 0,
        },
    )


def _typed(records: Records, types: Mapping[str, type[Artifact]]) -> dict[str, list[Artifact]]:
    return {
        key: [from_record(record, types[key]) for record in group] for key, group in records.items()
    }
