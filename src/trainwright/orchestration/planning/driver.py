"""Driver: performs the plan of a node before anything of it runs.

It reuses, registers or records; the decision is the planner's, which is asked again if the store
says that the plan was overtaken. For a Resolver or an Importer no process is started: a Resolver is
recorded in one transaction, an Importer that registers a new artifact takes two, between which its
execution is RUNNING without any output: the files are the user's, and clearing up after a crash
must find nothing there to remove.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from trainwright._paths import is_remote
from trainwright._version import TFX_API_VERSION
from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.base_node import BaseNode
from trainwright.dsl.pipeline import Pipeline
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
    NODE_ID,
    REASON,
    RESULT,
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
    TypeRecord,
)
from trainwright.metadata.store import ArtifactDeletedError, MetadataStore, OvertakenError
from trainwright.orchestration.cleanup.recovery import end_dead_execution
from trainwright.orchestration.lookups.artifact_search import published_manifests
from trainwright.orchestration.planning.node_plan import (
    CachedNode,
    ComponentRun,
    FinishedNode,
    ImporterRun,
    NodePlan,
    PreparedNode,
    ResolverRun,
    ReusePlan,
    RunSoFar,
    SkipPlan,
    StartedNode,
    WaitPlan,
)
from trainwright.orchestration.planning.partial_run_inputs import ReusedOutputs
from trainwright.orchestration.planning.planner import Planner
from trainwright.orchestration.publishing import claims, layout
from trainwright.orchestration.publishing.manifest import Manifest, list_files
from trainwright.orchestration.publishing.published_outputs import Records
from trainwright.orchestration.publishing.publisher import Publisher
from trainwright.types.artifact import Artifact
from trainwright.types.channel import OutputChannel


class Driver:
    """Prepares the nodes of one run.

    Args:
        planner: Decides what becomes of a node.
        pipeline: What is run.
        pipeline_root: Where its artifacts go.
        run_id: The run's id.
        store: What is remembered.
        publisher: Makes imported artifacts visible, and ends executions that a dead run left.
        skipped: The nodes of the run that were skipped before, and why.
    """

    def __init__(
        self,
        planner: Planner,
        pipeline: Pipeline,
        *,
        pipeline_root: str,
        run_id: str,
        store: MetadataStore,
        publisher: Publisher,
        skipped: Mapping[str, str],
    ) -> None:
        self._planner = planner
        self._root = pipeline_root
        self._run_id = run_id
        self._store = store
        self._publisher = publisher
        self._labels = _ExecutionLabels(pipeline.pipeline_name, run_id)
        self._registered: set[int] = set()
        self._skipped = dict(skipped)

    def prepare(self, node: BaseNode, made: Mapping[str, Records]) -> PreparedNode:
        """Plans the node and performs the plan, up to the point where its executor can start.

        A node that its condition keeps from running has no execution, as in TFX. `made` holds the
        outputs of the nodes that this run has finished, by node id.
        """
        while True:
            so_far = RunSoFar(
                made=made,
                skipped=self._skipped,
                run_id=self._run_id,
                registered=self._registered,
            )
            plan = self._planner.plan(node, so_far)
            try:
                return self._perform(node, plan)
            except OvertakenError:
                continue  # somebody else has begun or finished the same work since
            except ArtifactDeletedError:
                if not isinstance(plan, (ReusePlan, ResolverRun)):
                    raise  # what the node reads has gone: another plan would not bring it back
                # The garbage collector took what was to be reused: plan without it.

    def needs_worker(self, node: BaseNode) -> bool:
        """Whether a process is started for the node if it has to run."""
        return self._planner.needs_worker(node)

    def _perform(self, node: BaseNode, plan: NodePlan) -> PreparedNode:
        match plan:
            case SkipPlan():
                return self._skip(node, plan.reason)
            case WaitPlan():
                return plan
            case ReusePlan():
                return self._reuse(node, plan)
            case ComponentRun() if plan.abandoned:
                for execution in plan.abandoned:
                    end_dead_execution(self._publisher, execution)
                raise OvertakenError("A run that died may have left its result: it is published.")
            case ComponentRun():
                return self._register(plan)
            case ResolverRun():
                return self._record_choice(plan)
            case ImporterRun():
                return self._import(plan)
        raise AssertionError(f"a node of a run was planned before what comes before it: {plan}")

    def _skip(self, node: BaseNode, reason: str) -> SkipPlan:
        """Remembers with the run that the node was skipped."""
        self._store.update_run(self._run_id, skipped={node.id: reason})
        self._skipped[node.id] = reason
        return SkipPlan(reason=reason)

    def _reuse(self, node: BaseNode, plan: ReusePlan) -> CachedNode:
        reused = plan.reused_execution_id
        properties = {**plan.properties, **self._labels.properties(node, plan.reason)}
        if reused is not None:
            properties[REUSED_EXECUTION] = reused
        execution = self._store.record_finished_execution(
            _execution_type(node),
            state=ExecutionState.CACHED,
            contexts=self._labels.contexts(node, plan.cache_key),
            inputs=ids_of(plan.inputs),
            outputs=ids_of(plan.outputs),
            custom_properties=properties,
            attachments={} if plan.source_files is None else {SOURCE_FILES: plan.source_files},
        )
        return CachedNode(
            execution=execution,
            reused_execution_id=execution.id if reused is None else reused,
            outputs=plan.outputs,
            reason=plan.reason,
        )

    def reuse_from_before(self, reused: ReusedOutputs) -> CachedNode:
        """Takes over the outputs of a node that this run leaves out."""
        maker = reused.execution.custom_properties.get(REUSED_EXECUTION, reused.execution.id)
        plan = ReusePlan(
            reason=f"not selected; takes the outputs of execution {maker}",
            outputs=reused.outputs,
            reused_execution_id=maker,
            inputs={},
            properties={},
        )
        return self._reuse(reused.node, plan)

    def _record_choice(self, plan: ResolverRun) -> FinishedNode:
        node, choice = plan.node, plan.choice
        execution = self._store.record_finished_execution(
            _execution_type(node),
            state=ExecutionState.COMPLETE,
            contexts=self._labels.contexts(node),
            inputs=ids_of({**choice.outputs, **plan.hidden}),
            outputs=ids_of(choice.outputs),
            custom_properties={
                **node.stored_properties,
                **self._labels.properties(node, plan.reason),
            },
            attachments={RESULT: {"manifests": choice.manifests, "first_party_files": {}}},
        )
        return FinishedNode(execution=execution, outputs=choice.outputs, reason=plan.reason)

    def _import(self, plan: ImporterRun) -> FinishedNode:
        node, answer, artifact = plan.node, plan.answer, plan.answer.artifact
        # Before anything is registered: a file may turn out to be unreadable.
        manifest = list_files(artifact.uri)
        execution = plan.unpublished
        if execution is None:
            context = contexts.cache_context(answer.cache_key)
            execution, _ = self._store.register_execution(
                _execution_type(node),
                contexts=self._labels.contexts(node, answer.cache_key),
                inputs=ids_of(plan.hidden),
                pending_outputs=lambda execution_id: {},
                custom_properties={
                    **node.exec_properties,
                    "artifact_uri": artifact.uri,
                    **self._labels.properties(node, plan.reason),
                },
                lease=current_lease(),
                last_seen=None if node.reimport else (context, answer.last_seen),
            )
        encoded = {
            "id": 0,
            "uri": artifact.uri,
            "name": "",
            "properties": artifact.properties,
            "custom_properties": artifact.custom_properties,
        }
        result = {
            "outputs": {node.output_key: [encoded]},
            "manifests": {node.output_key: [manifest]},
            "first_party_files": {},
        }
        outputs = self._publisher.publish(execution.id, {node.output_key: artifact.type}, result)
        return FinishedNode(execution=execution, outputs=outputs, reason=plan.reason)

    def _register(self, plan: ComponentRun) -> StartedNode:
        """Registers the node as RUNNING, with a lease and PENDING outputs."""
        resolved, reason = plan.resolved, plan.reason
        node, token, leaf = resolved.node, claims.make_token(), ""
        kept = _kept_outputs(node.outputs)
        earlier = self._publisher.earlier_attempts(resolved.cache_key)

        def pending_outputs(execution_id: int) -> Records:
            nonlocal leaf
            leaf = layout.choose_leaf(self._root, node.id, node.outputs, execution_id)
            return {
                key: [_pending_output(channel, self._root, leaf)]
                for key, channel in node.outputs.items()
            }

        execution, outputs = self._store.register_execution(
            _execution_type(node),
            contexts=self._labels.contexts(node, resolved.cache_key),
            inputs=ids_of({**resolved.inputs, **resolved.hidden}),
            pending_outputs=pending_outputs,
            custom_properties={
                **resolved.properties_to_store,
                **self._labels.properties(node, reason),
                **kept,
            },
            lease=current_lease(),
            attachments={
                CACHE_KEY_PARTS: resolved.parts.to_json(),
                SOURCE_FILES: resolved.source_files,
                MARK: token,
            },
            last_seen=_last_seen(resolved.cache_key, plan.last_seen),
        )
        self._registered.add(execution.id)
        return StartedNode(
            node=node,
            execution=execution,
            directory=layout.execution_directory(self._root, node.id, leaf),
            token=token,
            input_dict=_typed(resolved.inputs, {k: c.type for k, c in node.inputs.items()}),
            output_dict=_typed(outputs, {k: c.type for k, c in node.outputs.items()}),
            exec_properties=resolved.properties,
            input_manifests=self._manifests_to_stage(resolved.inputs),
            earlier=earlier,
            reason=reason,
        )

    def _manifests_to_stage(self, inputs: Records) -> dict[str, Manifest]:
        """What the inputs in an object store are made of; imported ones are what is there now."""
        remote = {
            record.id: record.uri
            for group in inputs.values()
            for record in group
            if record.id and is_remote(record.uri) and not _is_external(record)
        }
        found = published_manifests(self._store, set(remote)) if remote else {}
        return {remote[artifact_id]: manifest for artifact_id, manifest in found.items()}

    def record_refusal(self, node: BaseNode, error: str) -> ExecutionRecord:
        """Remembers that a node failed before it could be registered."""
        return self._store.record_finished_execution(
            _execution_type(node),
            state=ExecutionState.FAILED,
            contexts=self._labels.contexts(node),
            inputs={},
            outputs={},
            custom_properties={**self._labels.properties(node), ERROR: error},
        )


@dataclass(frozen=True)
class _ExecutionLabels:
    """Labels of the executions of one run: their contexts, node, run and reason."""

    pipeline_name: str
    run_id: str

    def contexts(self, node: BaseNode, cache_key: str | None = None) -> list[ContextKey]:
        keys = [
            contexts.pipeline_context(self.pipeline_name),
            contexts.run_context(self.run_id),
            contexts.node_context(self.pipeline_name, node.id),
        ]
        return keys if cache_key is None else [*keys, contexts.cache_context(cache_key)]

    def properties(self, node: BaseNode, reason: str = "") -> dict[str, Any]:
        properties = {NODE_ID: node.id, RUN_ID: self.run_id}
        return {**properties, REASON: reason} if reason else properties


def _execution_type(node: BaseNode) -> TypeRecord:
    annotation = type(node.spec).TYPE_ANNOTATION if isinstance(node, BaseComponent) else None
    return TypeRecord(name=node.type_name, base_type=annotation.__name__ if annotation else None)


def _is_external(record: ArtifactRecord) -> bool:
    return bool(record.custom_properties.get("is_external"))


def _last_seen(cache_key: str, execution_id: int | None) -> tuple[ContextKey, int] | None:
    return None if execution_id is None else (contexts.cache_context(cache_key), execution_id)


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
