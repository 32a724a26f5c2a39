"""The `put_` methods of `MetadataStore`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from trainwright.compat.ml_metadata import errors
from trainwright.compat.ml_metadata.sqlite import links, nodes, types
from trainwright.compat.ml_metadata.sqlite.database import Database
from trainwright.compat.ml_metadata.sqlite.node_kinds import (
    ARTIFACT,
    CONTEXT,
    EXECUTION,
    NodeKind,
)
from trainwright.compat.ml_metadata.sqlite.record_writer import RecordWriter
from trainwright.proto.mlmd.metadata_store_pb2 import (
    Artifact,
    ArtifactType,
    Association,
    Attribution,
    Context,
    ContextType,
    Event,
    Execution,
    ExecutionType,
    ParentContext,
)


class StoreWriting:
    """Every method is one transaction: all of it is stored, or nothing."""

    _database: Database

    def put_artifact_type(
        self,
        artifact_type: ArtifactType,
        can_add_fields: bool = False,
        can_omit_fields: bool = False,
        extra_options: object = None,
    ) -> int:
        """Creates a type, or updates the one of the same name and version; returns its id.

        Args:
            artifact_type: Its name and its properties.
            can_add_fields: Whether a stored type may get properties that it has not had.
            can_omit_fields: Whether properties of the stored type may be missing here.

        Raises AlreadyExistsError if the stored type has other properties.
        """
        return self._put_type(ARTIFACT, artifact_type, can_add_fields, can_omit_fields)

    def put_execution_type(
        self,
        execution_type: ExecutionType,
        can_add_fields: bool = False,
        can_omit_fields: bool = False,
        extra_options: object = None,
    ) -> int:
        """Creates a type, or updates the stored one: see `put_artifact_type`."""
        return self._put_type(EXECUTION, execution_type, can_add_fields, can_omit_fields)

    def put_context_type(
        self,
        context_type: ContextType,
        can_add_fields: bool = False,
        can_omit_fields: bool = False,
        extra_options: object = None,
    ) -> int:
        """Creates a type, or updates the stored one: see `put_artifact_type`."""
        return self._put_type(CONTEXT, context_type, can_add_fields, can_omit_fields)

    def put_artifacts(
        self,
        artifacts: Sequence[Artifact],
        field_mask_paths: Sequence[str] | None = None,
        extra_options: object = None,
    ) -> list[int]:
        """Creates artifacts, or updates those that have an id; returns the ids in their order.

        Args:
            artifacts: New ones need a `type_id`; a name is unique among those of a type.
            field_mask_paths: What of stored artifacts is updated, such as `state` or
                `custom_properties.note`; everything if it is empty.
        """
        return self._put_nodes(ARTIFACT, artifacts, field_mask_paths)

    def put_executions(
        self,
        executions: Sequence[Execution],
        field_mask_paths: Sequence[str] | None = None,
        extra_options: object = None,
    ) -> list[int]:
        """Creates executions, or updates those that have an id: see `put_artifacts`."""
        return self._put_nodes(EXECUTION, executions, field_mask_paths)

    def put_contexts(
        self,
        contexts: Sequence[Context],
        field_mask_paths: Sequence[str] | None = None,
        extra_options: object = None,
    ) -> list[int]:
        """Creates contexts, which need a name, or updates those that have an id."""
        return self._put_nodes(CONTEXT, contexts, field_mask_paths)

    def put_events(self, events: Sequence[Event], extra_options: object = None) -> None:
        """Stores that executions have read or written artifacts."""
        with self._database.writing() as writer:
            for event in events:
                links.put_event(writer, event)

    def put_execution(
        self,
        execution: Execution,
        artifact_and_events: Sequence[Any],
        contexts: Sequence[Context] | None,
        reuse_context_if_already_exist: bool = False,
        reuse_artifact_if_already_exist_by_external_id: bool = False,
        force_reuse_context: bool = False,
        force_update_time: bool = False,
        extra_options: object = None,
    ) -> tuple[int, list[int], list[int]]:
        """Stores an execution with its artifacts, events and contexts.

        Args:
            execution: A new one, or one with an id.
            artifact_and_events: Pairs of an artifact, or None, and an event; the event can be left
                out. What they lack of ids is filled in.
            contexts: Those of the execution and of all these artifacts.
            reuse_context_if_already_exist: A new context whose name is stored is that one.
            reuse_artifact_if_already_exist_by_external_id: The same for artifacts, by external id.
            force_reuse_context: Contexts that have an id are not updated.
            force_update_time: The execution's update time is now, even if nothing has changed.

        Returns:
            The id of the execution, those of the artifacts, and those of the contexts.
        """
        with self._database.writing() as writer:
            execution_id = nodes.put_node(
                writer, EXECUTION, execution, force_update_time=force_update_time
            )
            artifact_ids = [
                _put_pair(
                    writer,
                    execution_id if execution.HasField("id") else None,
                    execution_id,
                    pair,
                    reuse_artifact_if_already_exist_by_external_id,
                )
                for pair in artifact_and_events
                if pair
            ]
            context_ids = [
                _put_context(writer, context, reuse_context_if_already_exist, force_reuse_context)
                for context in contexts or ()
            ]
            _put_members(writer, [execution_id], artifact_ids, context_ids)
        return execution_id, artifact_ids, context_ids

    def put_lineage_subgraph(
        self,
        executions: Sequence[Execution],
        artifacts: Sequence[Artifact],
        contexts: Sequence[Context],
        event_edges: Sequence[tuple[int | None, int | None, Event]],
        reuse_context_if_already_exist: bool = False,
        reuse_artifact_if_already_exist_by_external_id: bool = False,
        extra_options: object = None,
    ) -> tuple[list[int], list[int], list[int]]:
        """Stores executions, artifacts and contexts, and what connects them.

        Args:
            executions: New ones, or ones with an id.
            artifacts: The same.
            contexts: Those of all these executions and artifacts.
            event_edges: For each event the place of its execution and of its artifact in the
                lists; None where the event has the id.
            reuse_context_if_already_exist: A new context whose name is stored is that one.
            reuse_artifact_if_already_exist_by_external_id: The same for artifacts, by external id.

        Returns:
            The ids of the executions, of the artifacts and of the contexts.
        """
        with self._database.writing() as writer:
            artifact_ids = [
                _put_artifact(writer, artifact, reuse_artifact_if_already_exist_by_external_id)
                for artifact in artifacts
            ]
            execution_ids = [
                nodes.put_node(writer, EXECUTION, execution) for execution in executions
            ]
            context_ids = [
                _put_context(writer, context, reuse_context_if_already_exist, False)
                for context in contexts
            ]
            for execution_index, artifact_index, event in event_edges:
                stored = Event()
                stored.CopyFrom(event)
                _fill_id(stored, EXECUTION, execution_index, execution_ids)
                _fill_id(stored, ARTIFACT, artifact_index, artifact_ids)
                links.put_event(writer, stored)
            _put_members(writer, execution_ids, artifact_ids, context_ids)
        return execution_ids, artifact_ids, context_ids

    def put_attributions_and_associations(
        self,
        attributions: Sequence[Attribution],
        associations: Sequence[Association],
        extra_options: object = None,
    ) -> None:
        """Puts artifacts and executions into contexts; those that are in them stay."""
        with self._database.writing() as writer:
            for attribution in attributions:
                links.put_member(writer, ARTIFACT, attribution.artifact_id, attribution.context_id)
            for association in associations:
                links.put_member(
                    writer, EXECUTION, association.execution_id, association.context_id
                )

    def put_parent_contexts(
        self, parent_contexts: Sequence[ParentContext], extra_options: object = None
    ) -> None:
        """Makes contexts parts of others."""
        with self._database.writing() as writer:
            for link in parent_contexts:
                links.put_parent_context(writer, link)

    def _put_type(self, kind: NodeKind, given: Any, can_add: bool, can_omit: bool) -> int:
        with self._database.writing() as writer:
            return types.put_type(
                writer, kind, given, can_add_fields=can_add, can_omit_fields=can_omit
            )

    def _put_nodes(
        self, kind: NodeKind, given: Sequence[Any], mask: Sequence[str] | None
    ) -> list[int]:
        with self._database.writing() as writer:
            return [nodes.put_node(writer, kind, node, mask=mask) for node in given]


def _put_pair(
    writer: RecordWriter,
    given_execution_id: int | None,
    execution_id: int,
    pair: Sequence[Any],
    reuse: bool,
) -> int:
    """Stores an artifact and its event; returns the id of the artifact."""
    artifact, event = pair[0], pair[1] if len(pair) > 1 else None
    if event is None:
        return _put_artifact(writer, artifact, reuse)
    if event.HasField("execution_id") and event.execution_id != given_execution_id:
        raise errors.InvalidArgumentError(
            "Request's event.execution_id does not match with the given execution: "
            f"{event.execution_id}, {given_execution_id or 'a new one'}"
        )
    stored = Event()
    stored.CopyFrom(event)
    stored.execution_id = execution_id
    if artifact is not None:
        if event.HasField("artifact_id") and artifact.id != event.artifact_id:
            raise errors.InvalidArgumentError(
                "Given event.artifact_id is not aligned with the artifact: "
                f"artifact {{ {artifact} }} event {{ {event} }}"
            )
        stored.artifact_id = _put_artifact(writer, artifact, reuse)
    links.put_event(writer, stored)
    return stored.artifact_id


def _put_artifact(writer: RecordWriter, artifact: Artifact, reuse: bool) -> int:
    if reuse and artifact.external_id:
        found = writer.connection.execute(
            "SELECT id FROM Artifact WHERE external_id = ?", [artifact.external_id]
        ).fetchone()
        if found:
            known = Artifact()
            known.CopyFrom(artifact)
            known.id = found[0]
            artifact = known
    return nodes.put_node(writer, ARTIFACT, artifact)


def _put_context(writer: RecordWriter, context: Context, reuse: bool, force_reuse: bool) -> int:
    if force_reuse and context.HasField("id"):
        if not nodes.existing_ids(writer.connection, CONTEXT, [context.id]):
            raise errors.NotFoundError(
                f"Results missing for ids: {{{context.id}}}. Found results for {{}}"
            )
        return context.id
    if reuse and not context.HasField("id"):
        found = writer.connection.execute(
            "SELECT id FROM Context WHERE type_id = ? AND name = ?", [context.type_id, context.name]
        ).fetchone()
        if found:
            return int(found[0])
    return nodes.put_node(writer, CONTEXT, context)


def _put_members(
    writer: RecordWriter,
    execution_ids: Sequence[int],
    artifact_ids: Sequence[int],
    context_ids: Sequence[int],
) -> None:
    for context_id in context_ids:
        for kind, ids in ((EXECUTION, execution_ids), (ARTIFACT, artifact_ids)):
            for node_id in ids:
                links.put_member(writer, kind, node_id, context_id)


def _fill_id(event: Event, kind: NodeKind, index: int | None, ids: Sequence[int]) -> None:
    """Gives an event the id of the node at a place of the list."""
    has_id = event.HasField(kind.id_column)
    if index is None:
        if not has_id:
            raise errors.InvalidArgumentError(
                f"Event_edge is missing an {kind.noun}. Could not find either an "
                f"{kind.noun}_index or an event.{kind.id_column}: {event}"
            )
        return
    if not 0 <= index < len(ids):
        raise errors.OutOfRangeError(
            f"The event_edge has an {kind.noun}_index {index} that is outside the bounds of the "
            f"request's {kind.noun}s list, [0, {len(ids)}). Event: {event}"
        )
    if has_id and getattr(event, kind.id_column) != ids[index]:
        raise errors.InvalidArgumentError(
            f"{kind.table} ID mismatch. The referenced {kind.noun} at {kind.noun}_index {index} "
            f"has an ID of {ids[index]} that does not match the event_edge's "
            f"event.{kind.id_column} of {getattr(event, kind.id_column)}."
        )
    setattr(event, kind.id_column, ids[index])
