"""The `get_` methods of `MetadataStore`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from trainwright.compat.ml_metadata import errors
from trainwright.compat.ml_metadata.metadata_store.list_options import (
    ListOptions,
    OrderByField,
    listing_of,
)
from trainwright.compat.ml_metadata.sqlite import lineage, links, nodes, types
from trainwright.compat.ml_metadata.sqlite.database import Database
from trainwright.compat.ml_metadata.sqlite.listing import listed_nodes
from trainwright.compat.ml_metadata.sqlite.node_kinds import (
    ARTIFACT,
    CONTEXT,
    EXECUTION,
    NodeKind,
)
from trainwright.proto.mlmd.metadata_store_pb2 import (
    Artifact,
    ArtifactType,
    Context,
    ContextType,
    Event,
    Execution,
    ExecutionType,
    LineageGraph,
    LineageSubgraphQueryOptions,
)


class StoreReading:
    """Every method reads one state of the store. `extra_options` are there for old callers."""

    _database: Database

    def get_artifacts(
        self, list_options: ListOptions | None = None, extra_options: object = None
    ) -> list[Artifact]:
        """All artifacts, or those that the options ask for."""
        return self._listed(ARTIFACT, list_options)

    def get_executions(
        self, list_options: ListOptions | None = None, extra_options: object = None
    ) -> list[Execution]:
        """All executions, or those that the options ask for."""
        return self._listed(EXECUTION, list_options)

    def get_contexts(
        self, list_options: ListOptions | None = None, extra_options: object = None
    ) -> list[Context]:
        """All contexts, or those that the options ask for."""
        return self._listed(CONTEXT, list_options)

    def get_artifacts_by_id(
        self, artifact_ids: Iterable[int], extra_options: object = None
    ) -> list[Artifact]:
        """The artifacts that there are of these ids."""
        return self._by_id(ARTIFACT, artifact_ids)

    def get_executions_by_id(
        self, execution_ids: Iterable[int], extra_options: object = None
    ) -> list[Execution]:
        """The executions that there are of these ids."""
        return self._by_id(EXECUTION, execution_ids)

    def get_contexts_by_id(
        self, context_ids: Iterable[int], extra_options: object = None
    ) -> list[Context]:
        """The contexts that there are of these ids."""
        return self._by_id(CONTEXT, context_ids)

    def get_artifacts_and_types_by_artifact_ids(
        self, artifact_ids: Iterable[int], extra_options: object = None
    ) -> tuple[list[Artifact], list[ArtifactType]]:
        """The artifacts that there are of these ids, and their types."""
        with self._database.reading() as connection:
            found = nodes.nodes_by_id(connection, ARTIFACT, artifact_ids)
            type_ids = (artifact.type_id for artifact in found)
            return found, types.types_by_id(connection, ARTIFACT, type_ids)

    def get_artifacts_by_type(
        self, type_name: str, type_version: str | None = None, extra_options: object = None
    ) -> list[Artifact]:
        """All artifacts of a type; none if there is no such type."""
        return self._by_type(ARTIFACT, type_name, type_version)

    def get_executions_by_type(
        self, type_name: str, type_version: str | None = None, extra_options: object = None
    ) -> list[Execution]:
        """All executions of a type; none if there is no such type."""
        return self._by_type(EXECUTION, type_name, type_version)

    def get_contexts_by_type(
        self, type_name: str, type_version: str | None = None, extra_options: object = None
    ) -> list[Context]:
        """All contexts of a type; none if there is no such type."""
        return self._by_type(CONTEXT, type_name, type_version)

    def get_artifact_by_type_and_name(
        self,
        type_name: str,
        artifact_name: str,
        type_version: str | None = None,
        extra_options: object = None,
    ) -> Artifact | None:
        """The artifact of this type and name, if there is one."""
        return self._by_name(ARTIFACT, type_name, artifact_name, type_version)

    def get_execution_by_type_and_name(
        self,
        type_name: str,
        execution_name: str,
        type_version: str | None = None,
        extra_options: object = None,
    ) -> Execution | None:
        """The execution of this type and name, if there is one."""
        return self._by_name(EXECUTION, type_name, execution_name, type_version)

    def get_context_by_type_and_name(
        self,
        type_name: str,
        context_name: str,
        type_version: str | None = None,
        extra_options: object = None,
    ) -> Context | None:
        """The context of this type and name, if there is one."""
        return self._by_name(CONTEXT, type_name, context_name, type_version)

    def get_artifacts_by_uri(self, uri: str, extra_options: object = None) -> list[Artifact]:
        """All artifacts with exactly this uri."""
        return self._where(ARTIFACT, "uri = ?", [uri])

    def get_artifacts_by_external_ids(
        self, external_ids: Iterable[str], extra_options: object = None
    ) -> list[Artifact]:
        """The artifacts of these external ids; raises NotFoundError if there are none."""
        return self._by_external_ids(ARTIFACT, external_ids)

    def get_executions_by_external_ids(
        self, external_ids: Iterable[str], extra_options: object = None
    ) -> list[Execution]:
        """The executions of these external ids; raises NotFoundError if there are none."""
        return self._by_external_ids(EXECUTION, external_ids)

    def get_contexts_by_external_ids(
        self, external_ids: Iterable[str], extra_options: object = None
    ) -> list[Context]:
        """The contexts of these external ids; raises NotFoundError if there are none."""
        return self._by_external_ids(CONTEXT, external_ids)

    def get_artifact_type(
        self, type_name: str, type_version: str | None = None, extra_options: object = None
    ) -> ArtifactType:
        """The type of this name; raises NotFoundError if there is none."""
        found: ArtifactType = self._type(ARTIFACT, type_name, type_version)
        return found

    def get_execution_type(
        self, type_name: str, type_version: str | None = None, extra_options: object = None
    ) -> ExecutionType:
        """The type of this name; raises NotFoundError if there is none."""
        found: ExecutionType = self._type(EXECUTION, type_name, type_version)
        return found

    def get_context_type(
        self, type_name: str, type_version: str | None = None, extra_options: object = None
    ) -> ContextType:
        """The type of this name; raises NotFoundError if there is none."""
        found: ContextType = self._type(CONTEXT, type_name, type_version)
        return found

    def get_artifact_types(self, extra_options: object = None) -> list[ArtifactType]:
        """All types of artifacts but the base types of ML Metadata itself."""
        return self._all_types(ARTIFACT)

    def get_execution_types(self, extra_options: object = None) -> list[ExecutionType]:
        """All types of executions but the base types of ML Metadata itself."""
        return self._all_types(EXECUTION)

    def get_context_types(self, extra_options: object = None) -> list[ContextType]:
        """All types of contexts."""
        return self._all_types(CONTEXT)

    def get_artifact_types_by_id(
        self, type_ids: Iterable[int], extra_options: object = None
    ) -> list[ArtifactType]:
        """The types that there are of these ids."""
        return self._types_by_id(ARTIFACT, type_ids)

    def get_execution_types_by_id(
        self, type_ids: Iterable[int], extra_options: object = None
    ) -> list[ExecutionType]:
        """The types that there are of these ids."""
        return self._types_by_id(EXECUTION, type_ids)

    def get_context_types_by_id(
        self, type_ids: Iterable[int], extra_options: object = None
    ) -> list[ContextType]:
        """The types that there are of these ids."""
        return self._types_by_id(CONTEXT, type_ids)

    def get_artifact_types_by_external_ids(
        self, external_ids: Iterable[str], extra_options: object = None
    ) -> list[ArtifactType]:
        """The types of these external ids; raises NotFoundError if there are none."""
        return self._types_by_external_ids(ARTIFACT, external_ids)

    def get_execution_types_by_external_ids(
        self, external_ids: Iterable[str], extra_options: object = None
    ) -> list[ExecutionType]:
        """The types of these external ids; raises NotFoundError if there are none."""
        return self._types_by_external_ids(EXECUTION, external_ids)

    def get_context_types_by_external_ids(
        self, external_ids: Iterable[str], extra_options: object = None
    ) -> list[ContextType]:
        """The types of these external ids; raises NotFoundError if there are none."""
        return self._types_by_external_ids(CONTEXT, external_ids)

    def get_events_by_execution_ids(
        self, execution_ids: Iterable[int], extra_options: object = None
    ) -> list[Event]:
        """All events of these executions."""
        with self._database.reading() as connection:
            return links.events_of(connection, EXECUTION, execution_ids)

    def get_events_by_artifact_ids(
        self, artifact_ids: Iterable[int], extra_options: object = None
    ) -> list[Event]:
        """All events of these artifacts."""
        with self._database.reading() as connection:
            return links.events_of(connection, ARTIFACT, artifact_ids)

    def get_contexts_by_artifact(
        self, artifact_id: int, extra_options: object = None
    ) -> list[Context]:
        """The contexts of an artifact; raises NotFoundError if it is in none."""
        return self._contexts_of(ARTIFACT, artifact_id)

    def get_contexts_by_execution(
        self, execution_id: int, extra_options: object = None
    ) -> list[Context]:
        """The contexts of an execution; raises NotFoundError if it is in none."""
        return self._contexts_of(EXECUTION, execution_id)

    def get_artifacts_by_context(
        self,
        context_id: int,
        list_options: ListOptions | None = None,
        extra_options: object = None,
    ) -> list[Artifact]:
        """The artifacts in a context."""
        return self._listed(ARTIFACT, list_options, context_id)

    def get_executions_by_context(
        self,
        context_id: int,
        list_options: ListOptions | None = None,
        extra_options: object = None,
    ) -> list[Execution]:
        """The executions in a context; the newest first if no other order is asked for."""
        if list_options is None:
            list_options = ListOptions(order_by=OrderByField.CREATE_TIME, is_asc=False)
        return self._listed(EXECUTION, list_options, context_id)

    def get_parent_contexts_by_context(
        self, context_id: int, extra_options: object = None
    ) -> list[Context]:
        """The contexts that a context is part of."""
        return self._related(context_id, parents=True)

    def get_children_contexts_by_context(
        self, context_id: int, extra_options: object = None
    ) -> list[Context]:
        """The contexts that are part of a context."""
        return self._related(context_id, parents=False)

    def get_lineage_subgraph(
        self,
        query_options: LineageSubgraphQueryOptions,
        field_mask_paths: Sequence[str] | None = None,
        extra_options: object = None,
    ) -> LineageGraph:
        """What the starting nodes were made of, or what was made of them.

        Args:
            query_options: Where the walk starts (at most 100 nodes), in which direction it goes,
                how many steps, and which nodes end it.
            field_mask_paths: Fields of the LineageGraph that are filled; all by default.
        """
        with self._database.reading() as connection:
            return lineage.lineage_subgraph(connection, query_options, field_mask_paths)

    def _listed(
        self, kind: NodeKind, options: ListOptions | None, context_id: int | None = None
    ) -> list[Any]:
        with self._database.reading() as connection:
            return listed_nodes(connection, kind, listing_of(options, context_id))

    def _by_id(self, kind: NodeKind, ids: Iterable[int]) -> list[Any]:
        with self._database.reading() as connection:
            return nodes.nodes_by_id(connection, kind, ids)

    def _by_type(self, kind: NodeKind, name: str, version: str | None) -> list[Any]:
        condition = (
            "type_id IN (SELECT id FROM Type WHERE name = ? AND version IS ? AND type_kind = ?)"
        )
        return self._where(kind, condition, [name, version or None, kind.type_kind])

    def _by_name(
        self, kind: NodeKind, type_name: str, name: str, version: str | None
    ) -> Any | None:
        condition = (
            "name = ? AND type_id IN "
            "(SELECT id FROM Type WHERE name = ? AND version IS ? AND type_kind = ?)"
        )
        parameters = [name, type_name, version or None, kind.type_kind]
        return next(iter(self._where(kind, condition, parameters)), None)

    def _by_external_ids(self, kind: NodeKind, external_ids: Iterable[str]) -> list[Any]:
        wanted = _checked_external_ids(external_ids)
        marks = ", ".join("?" * len(wanted))
        found = self._where(kind, f"external_id IN ({marks})", wanted)
        if wanted and not found:
            raise errors.NotFoundError(f"No {kind.noun}s found for external_ids.")
        return found

    def _where(self, kind: NodeKind, condition: str, parameters: Sequence[Any]) -> list[Any]:
        with self._database.reading() as connection:
            rows = connection.execute(
                f"SELECT id FROM {kind.table} WHERE {condition}", parameters
            ).fetchall()
            return nodes.nodes_by_id(connection, kind, (row[0] for row in rows))

    def _type(self, kind: NodeKind, name: str, version: str | None) -> Any:
        with self._database.reading() as connection:
            return types.get_type(connection, kind, name, version)

    def _all_types(self, kind: NodeKind) -> list[Any]:
        with self._database.reading() as connection:
            return types.all_types(connection, kind)

    def _types_by_id(self, kind: NodeKind, ids: Iterable[int]) -> list[Any]:
        with self._database.reading() as connection:
            return types.types_by_id(connection, kind, ids)

    def _types_by_external_ids(self, kind: NodeKind, external_ids: Iterable[str]) -> list[Any]:
        wanted = _checked_external_ids(external_ids)
        with self._database.reading() as connection:
            found = types.types_by_external_id(connection, kind, wanted)
        if wanted and not found:
            raise errors.NotFoundError(f"No {kind.noun} types found for external_ids.")
        return found

    def _contexts_of(self, kind: NodeKind, node_id: int) -> list[Context]:
        with self._database.reading() as connection:
            pairs = links.memberships(connection, kind, [node_id])
            if not pairs:
                raise errors.NotFoundError(f"No contexts found for {kind.id_column}: {node_id}")
            return nodes.nodes_by_id(connection, CONTEXT, (pair[1] for pair in pairs))

    def _related(self, context_id: int, *, parents: bool) -> list[Context]:
        with self._database.reading() as connection:
            ids = links.related_contexts(connection, context_id, parents=parents)
            return nodes.nodes_by_id(connection, CONTEXT, ids)


def _checked_external_ids(external_ids: Iterable[str]) -> list[str]:
    wanted = list(external_ids)
    if "" in wanted:
        raise errors.InvalidArgumentError(
            "Invalid argument because at least one empty external_id exists."
        )
    return wanted
