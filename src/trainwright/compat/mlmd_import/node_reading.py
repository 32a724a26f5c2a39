"""Artifacts, executions and contexts of an ml-metadata file as rows of a Trainwright store."""

from __future__ import annotations

import collections
from collections.abc import Iterator
from typing import Any

from trainwright.compat.ml_metadata.sqlite.values import VALUE_COLUMNS, read_columns
from trainwright.compat.mlmd_import.event_reading import seconds
from trainwright.compat.mlmd_import.run_reading import MembershipReader, RunFacts, read_roots
from trainwright.compat.mlmd_import.source_file import MlmdFile, MlmdFileError
from trainwright.compat.mlmd_import.type_reading import read_types
from trainwright.metadata import contexts, internal_properties
from trainwright.metadata.records import ArtifactState, ExecutionState, Properties, RunRecord
from trainwright.metadata.rows import encode_properties, lease_columns
from trainwright.proto.mlmd import metadata_store_pb2 as mlmd

_ARTIFACT_STATES = {
    **{mlmd.Artifact.State.Value(state.value): state for state in ArtifactState},
    mlmd.Artifact.REFERENCE: ArtifactState.LIVE,  # it lies elsewhere, and is there
}
_EXECUTION_STATES: dict[int | None, ExecutionState] = {
    mlmd.Execution.State.Value(state.value): state for state in ExecutionState
}
_OF_RUNS = internal_properties.RUN_NOTES
_UNFINISHED = (
    "This execution had not finished ({state}) when it was imported from a file of ml-metadata."
)
_TIMES = "create_time_since_epoch, last_update_time_since_epoch"

# (declared properties, custom properties)
_NodeProperties = tuple[Properties, Properties]


class NodeReader:
    """Reads the nodes of a file: artifacts, executions and then contexts.

    Attributes:
        types: The types of the file.
        unfinished: How many executions had not finished; they are FAILED from now on.
        stateless: How many artifacts and executions had no state; they are LIVE and COMPLETE.
        runs: What is known of runs, by the ids of their contexts, once executions were read.
    """

    def __init__(self, file: MlmdFile) -> None:
        self._file = file
        self.types = read_types(file)
        self.unfinished = 0
        self.stateless = 0
        self.runs: dict[int, RunFacts] = collections.defaultdict(RunFacts)
        self._nodes: dict[int, str] = {}

    def artifacts(self) -> Iterator[dict[str, Any]]:
        query = f"SELECT id, type_id, uri, name, state, {_TIMES} FROM Artifact ORDER BY id"
        properties = _PropertyReader(self._file, "Artifact")
        for id_, type_id, uri, name, number, created, updated in self._file.rows(query):
            self._check("artifact", id_, type_id)
            state = _ARTIFACT_STATES.get(number)
            self.stateless += state is None
            declared, custom = properties.of(id_)
            yield {
                "id": id_,
                "type_id": type_id,
                "uri": "" if uri is None else str(uri),
                "name": None if name is None else str(name),
                "state": (state or ArtifactState.LIVE).value,
                "properties": encode_properties(declared),
                "custom_properties": encode_properties(custom),
                "created_at": seconds(created),
                "updated_at": seconds(updated),
            }

    def executions(self) -> Iterator[dict[str, Any]]:
        query = f"SELECT id, type_id, name, last_known_state, {_TIMES} FROM Execution ORDER BY id"
        properties = _PropertyReader(self._file, "Execution")
        memberships = MembershipReader(self._file)
        for id_, type_id, name, number, created, updated in self._file.rows(query):
            self._check("execution", id_, type_id)
            declared, custom = properties.of(id_)
            # A store here has one kind of properties for executions. What only Trainwright writes
            # would be read as its own notes.
            kept = {
                key: value
                for key, value in {**declared, **custom}.items()
                if key not in internal_properties.EXECUTION_NOTES
            }
            if name is not None:
                kept.setdefault("name", str(name))
            state = self._state(number, kept)
            self._note_run(id_, memberships, state, kept, seconds(updated))
            yield {
                "id": id_,
                "type_id": type_id,
                "state": state.value,
                "custom_properties": encode_properties(kept),
                **lease_columns(None),
                "created_at": seconds(created),
                "updated_at": seconds(updated),
            }

    def contexts(self) -> Iterator[dict[str, Any]]:
        """To be asked after `executions`: a run is described by them."""
        query = "SELECT id, type_id, name, create_time_since_epoch FROM Context ORDER BY id"
        properties = _PropertyReader(self._file, "Context")
        run_types = self.types.named("context", contexts.PIPELINE_RUN)
        for id_, root in read_roots(self._file, self._nodes).items():
            self.runs[id_].root = root
        for id_, type_id, name, created in self._file.rows(query):
            self._check("context", id_, type_id)
            declared, custom = properties.of(id_)
            kept = {**declared, **custom}
            if type_id in run_types:
                kept = {key: value for key, value in kept.items() if key not in _OF_RUNS}
                run = self.runs[id_]
                run.name, run.started_at = str(name), seconds(created)
                kept |= run.as_properties()
            yield {
                "id": id_,
                "type_id": type_id,
                "name": str(name),
                "custom_properties": encode_properties(kept),
                "created_at": seconds(created),
            }

    def run_records(self) -> list[RunRecord]:
        """The runs as a store has them; to be asked after `contexts`."""
        return [run.as_record(id_) for id_, run in sorted(self.runs.items()) if run.name]

    def _state(self, number: int | None, properties: Properties) -> ExecutionState:
        state = _EXECUTION_STATES.get(number)
        if state is None:
            self.stateless += 1
            return ExecutionState.COMPLETE
        if state.is_final:
            return state
        # Nobody here will finish it, and the next run would take it for one that died.
        self.unfinished += 1
        properties[internal_properties.ERROR] = _UNFINISHED.format(state=state.value)
        return ExecutionState.FAILED

    def _note_run(
        self,
        id_: int,
        memberships: MembershipReader,
        state: ExecutionState,
        properties: Properties,
        updated_at: float,
    ) -> None:
        member = memberships.of(id_)
        # Before TFX 1.0 a node was named by a property.
        node_id = member.node_id or properties.get("component_id")
        if isinstance(node_id, str) and node_id:
            properties[internal_properties.NODE_ID] = node_id
            self._nodes[id_] = node_id
        if member.run_context is not None:
            properties[internal_properties.RUN_ID] = member.run_id
            run = self.runs[member.run_context]
            run.pipeline = run.pipeline or member.pipeline
            if isinstance(node_id, str) and node_id:
                run.nodes[node_id] = state
                run.ended_at = max(run.ended_at, updated_at)

    def _check(self, kind: str, id_: int, type_id: int) -> None:
        if type_id in self.types.ids[kind] and id_ > 0:
            return
        what = f"type {type_id!r}, which is not a type of {kind}s" if id_ > 0 else "an id below 1"
        raise MlmdFileError(
            f"{self._file.path} is damaged: {kind} {id_} has {what}. Nothing was imported. Repair "
            "that row, or import a copy from before."
        )


class _PropertyReader:
    """Gives the properties of nodes that are asked for in the order of their ids.

    Reads the table once, beside the table of the nodes, so that memory holds one node at a time.
    """

    def __init__(self, file: MlmdFile, noun: str) -> None:
        columns = ", ".join(("name", "is_custom_property", *VALUE_COLUMNS))
        query = f"SELECT {noun}_id, {columns} FROM {noun}Property ORDER BY {noun}_id"
        self._rows: Iterator[tuple[Any, ...]] = file.rows(query)
        self._next = next(self._rows, None)

    def of(self, node_id: int) -> _NodeProperties:
        """The properties of a node with a higher id than the one before."""
        declared: Properties = {}
        custom: Properties = {}
        while self._next is not None and not _is_above(self._next[0], node_id):
            owner, name, is_custom, *columns = self._next
            value = read_columns(columns)
            if owner == node_id and value is not None:
                (custom if is_custom else declared)[str(name)] = value
            self._next = next(self._rows, None)
        return declared, custom


def _is_above(owner: object, node_id: int) -> bool:
    # SQLite sorts what is not a number behind the numbers: it belongs to nobody.
    return not isinstance(owner, int) or owner > node_id
