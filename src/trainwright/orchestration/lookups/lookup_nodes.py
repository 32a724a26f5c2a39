"""Resolver and Importer: nodes that are done once the store has been asked.

No process is started for them. A Resolver is remembered in one transaction. An Importer that
registers a new artifact takes two, between which its execution is RUNNING without any output: the
files are the user's, and clearing up after a crash must find nothing there to remove.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from trainwright.dsl.base_node import BaseNode
from trainwright.dsl.importer import Importer
from trainwright.dsl.resolver import Resolver
from trainwright.metadata import contexts
from trainwright.metadata.artifact_records import ids_of
from trainwright.metadata.internal_properties import RESULT, REUSED_EXECUTION
from trainwright.metadata.leases import current_lease
from trainwright.metadata.records import ExecutionRecord, ExecutionState
from trainwright.metadata.store import ArtifactDeletedError, MetadataStore, OvertakenError
from trainwright.orchestration.active_runs import is_worked_on
from trainwright.orchestration.lookups.import_lookup import ImportAnswer
from trainwright.orchestration.lookups.resolver_choice import Choice
from trainwright.orchestration.planning.channel_contents import hidden_records
from trainwright.orchestration.planning.execution_labels import ExecutionLabels, execution_type
from trainwright.orchestration.planning.node_resolution import NodeResolver
from trainwright.orchestration.planning.prepared_nodes import BusyNode, CachedNode, FinishedNode
from trainwright.orchestration.publishing.manifest import Manifest, list_files
from trainwright.orchestration.publishing.published_outputs import Records
from trainwright.orchestration.publishing.publisher import Publisher


class LookupNodes:
    """Does the work of Resolvers and Importers, and remembers it.

    Args:
        store: What is remembered.
        publisher: Makes an imported artifact visible.
        resolver: Finds what a node gets.
        labels: Under what executions of this run are remembered.
    """

    def __init__(
        self,
        store: MetadataStore,
        publisher: Publisher,
        resolver: NodeResolver,
        labels: ExecutionLabels,
    ) -> None:
        self._store = store
        self._publisher = publisher
        self._resolver = resolver
        self._labels = labels

    def choose(
        self, node: Resolver, made: Mapping[str, Records], *, may_reuse: bool
    ) -> CachedNode | FinishedNode:
        """Lets the Resolver choose; the choice of the last time is remembered as CACHED."""
        while True:
            choice = self._resolver.choose(node, made)
            reused = self._resolver.find_same_choice(node, choice) if may_reuse else None
            try:
                return self._remember_choice(node, choice, reused, hidden_records(node, made))
            except ArtifactDeletedError:
                continue  # the garbage collector took what was chosen: choose again

    def _remember_choice(
        self, node: Resolver, choice: Choice, reused: int | None, hidden: Records
    ) -> CachedNode | FinishedNode:
        reason = choice.describe()
        if reused is not None:
            return self._remember_reuse(
                node, choice.outputs, reason, reused, node.stored_properties, hidden
            )
        execution = self._store.record_finished_execution(
            execution_type(node),
            state=ExecutionState.COMPLETE,
            contexts=self._labels.contexts(node),
            inputs=ids_of({**choice.outputs, **hidden}),
            outputs=ids_of(choice.outputs),
            custom_properties={**node.stored_properties, **self._labels.properties(node, reason)},
            attachments={RESULT: {"manifests": choice.manifests, "first_party_files": {}}},
        )
        return FinishedNode(execution=execution, outputs=choice.outputs, reason=reason)

    def import_artifact(
        self, node: Importer, made: Mapping[str, Records]
    ) -> CachedNode | FinishedNode | BusyNode:
        """Registers what is at the Importer's path, unless that was imported before."""
        while True:
            answer = self._resolver.look_up_import(node)
            try:
                return self._act_on(node, answer, hidden_records(node, made))
            except (OvertakenError, ArtifactDeletedError):
                continue  # another run began to import the same, or the artifact was deleted

    def _act_on(
        self, node: Importer, answer: ImportAnswer, hidden: Records
    ) -> CachedNode | FinishedNode | BusyNode:
        properties = {**node.exec_properties, "artifact_uri": answer.artifact.uri}
        if answer.artifact.id is not None:
            outputs = {node.output_key: [answer.artifact]}
            return self._remember_reuse(
                node, outputs, answer.reason, answer.maker_id, properties, hidden
            )
        # Before anything is registered: a file may turn out to be unreadable.
        manifest = list_files(answer.artifact.uri)
        now = self._store.now()
        for execution in answer.running:
            if self._is_own(node, execution):  # the store went away before it was published
                return self._publish_import(node, answer, execution, manifest)
            if not node.reimport and is_worked_on(execution, now):
                return BusyNode(execution=execution)
        context = contexts.cache_context(answer.cache_key)
        execution, _ = self._store.register_execution(
            execution_type(node),
            contexts=self._labels.contexts(node, answer.cache_key),
            inputs=ids_of(hidden),
            pending_outputs=lambda execution_id: {},
            custom_properties={**properties, **self._labels.properties(node, answer.reason)},
            lease=current_lease(),
            last_seen=None if node.reimport else (context, answer.last_seen),
        )
        return self._publish_import(node, answer, execution, manifest)

    def _is_own(self, node: Importer, execution: ExecutionRecord) -> bool:
        labels = self._labels.properties(node)
        return labels.items() <= execution.custom_properties.items()

    def _publish_import(
        self, node: Importer, answer: ImportAnswer, execution: ExecutionRecord, manifest: Manifest
    ) -> FinishedNode:
        artifact = answer.artifact
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
        return FinishedNode(execution=execution, outputs=outputs, reason=answer.reason)

    def _remember_reuse(
        self,
        node: BaseNode,
        outputs: Records,
        reason: str,
        reused: int | None,
        properties: Mapping[str, Any],
        hidden: Records,
    ) -> CachedNode:
        internal = self._labels.properties(node, reason)
        if reused is not None:
            internal[REUSED_EXECUTION] = reused
        execution = self._store.record_finished_execution(
            execution_type(node),
            state=ExecutionState.CACHED,
            contexts=self._labels.contexts(node),
            inputs=ids_of(hidden),
            outputs=ids_of(outputs),
            custom_properties={**properties, **internal},
        )
        return CachedNode(
            execution=execution,
            reused_execution_id=execution.id if reused is None else reused,
            outputs=outputs,
            reason=reason,
        )
