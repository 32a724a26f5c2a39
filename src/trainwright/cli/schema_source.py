"""The schema that a command is asked about: from a file, an artifact or a run."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from trainwright.cli.errors import WrongQuestionError
from trainwright.cli.store_option import open_existing_store

if TYPE_CHECKING:
    from tensorflow_metadata.proto.v0 import schema_pb2

    from trainwright.history.run_history import RunHistory
    from trainwright.history.run_view import RunView
    from trainwright.metadata.records import ArtifactRecord
    from trainwright.metadata.store import MetadataStore

_SCHEMA_TYPE = "Schema"
# The nodes whose schema nobody has looked at yet.
_INFERRING = "tfx.components.schema_gen.component.SchemaGen"


@dataclass(frozen=True, kw_only=True)
class FoundSchema:
    """A schema, its file, and where that came from in words."""

    schema: schema_pb2.Schema
    path: str
    source: str


def find_schema(wanted: str, store: str | None) -> FoundSchema:
    """The schema in a file, below a directory, of an artifact's id, or of a run.

    Example: `find_schema("latest", store=None)`
    """
    from trainwright.schemas.schema_file import SCHEMA_FILE_NAME

    if os.path.isdir(wanted):
        wanted = os.path.join(wanted, SCHEMA_FILE_NAME)
    if os.path.isfile(wanted) or wanted.endswith((".pbtxt", ".pb.txt")):
        return FoundSchema(schema=read_schema_file(wanted), path=wanted, source=wanted)
    with open_existing_store(store) as opened:
        record, source = _find_artifact(opened, wanted)
    path = os.path.join(_on_this_machine(record), SCHEMA_FILE_NAME)
    return FoundSchema(schema=read_schema_file(path), path=path, source=source)


def read_schema_file(path: str) -> schema_pb2.Schema:
    """Reads a schema; what is wrong with it ends the command."""
    from trainwright.schemas.schema_file import read_schema

    try:
        return read_schema(path)
    except ValueError as error:
        raise WrongQuestionError(str(error)) from error


def _find_artifact(store: MetadataStore, wanted: str) -> tuple[ArtifactRecord, str]:
    from trainwright.history.artifacts import find_artifact

    if not wanted.isdecimal():
        return _find_in_run(store, wanted)
    record = find_artifact(store, int(wanted))
    if record.type.name != _SCHEMA_TYPE:
        raise WrongQuestionError(
            f"Artifact {wanted} is of type {record.type.name}; expected a {_SCHEMA_TYPE}. "
            f"`trainwright artifacts --type {_SCHEMA_TYPE}` lists them."
        )
    return record, f"artifact {wanted}"


def find_latest_schema(store: MetadataStore, runs: Iterable[RunHistory]) -> str | None:
    """The file of the schema that the first of these runs has made which made one, or None."""
    from trainwright.history.run_history import find_run
    from trainwright.history.run_view import view_run
    from trainwright.schemas.schema_file import SCHEMA_FILE_NAME

    for run in runs:
        found = _schema_of(view_run(store, find_run(store, run.run_id)))
        if found is not None:
            path = os.path.join(_on_this_machine(found[0]), SCHEMA_FILE_NAME)
            if os.path.isfile(path):  # gc may have removed it
                return path
    return None


def _on_this_machine(record: ArtifactRecord) -> str:
    from trainwright.storage.local_copies import on_this_machine

    try:
        return on_this_machine(record.uri)
    except OSError:  # it is gone, which whoever reads it says
        return record.uri


def _find_in_run(store: MetadataStore, wanted: str) -> tuple[ArtifactRecord, str]:
    from trainwright.history.run_view import find_run_view

    view = find_run_view(store, wanted)
    found = _schema_of(view)
    if found is None:
        raise WrongQuestionError(
            f"Run {view.run.run_id} of {view.run.pipeline} made no schema. Its nodes are "
            f"{[node.node_id for node in view.run.nodes]}; add a SchemaGen, or name a schema file."
        )
    return found


def _schema_of(view: RunView) -> tuple[ArtifactRecord, str] | None:
    """The schema that a run inferred; if it inferred none, the one that it was given."""
    found: list[tuple[bool, ArtifactRecord, str]] = []
    for node in view.run.nodes:
        execution = view.executions.get(node.node_id)
        is_inferred = execution is not None and execution.type.name == _INFERRING
        for record in _schemas(node.outputs.values()):
            found.append((is_inferred, record, f"{node.node_id} of run {view.run.run_id}"))
    if not found:
        return None
    _, record, source = max(found, key=lambda entry: (entry[0], entry[1].id or 0))
    return record, source


def _schemas(outputs: Iterable[Sequence[ArtifactRecord]]) -> list[ArtifactRecord]:
    return [record for records in outputs for record in records if record.type.name == _SCHEMA_TYPE]
