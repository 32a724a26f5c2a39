"""The import of an ml-metadata file: all of its records in one transaction, or none."""

from __future__ import annotations

import itertools
import json
import os
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from trainwright._paths import is_remote
from trainwright.compat.mlmd_import.event_reading import read_events
from trainwright.compat.mlmd_import.node_reading import NodeReader
from trainwright.compat.mlmd_import.source_file import MlmdFile, MlmdFileError
from trainwright.metadata import contexts
from trainwright.metadata.bulk_load import BulkLoad
from trainwright.metadata.internal_properties import IMPORTED_MARK, MARK
from trainwright.metadata.records import ArtifactState, ContextKey
from trainwright.metadata.run_rows import node_rows, row_of_imported
from trainwright.metadata.sql_store import SqlMetadataStore

_LINKS = {"associations": ("Association", "Execution"), "attributions": ("Attribution", "Artifact")}


@dataclass(kw_only=True)
class ImportSummary:
    """What an import has brought over, or would.

    Args:
        source: The ml-metadata file.
        counts: The records by kind.
        pipelines: The pipelines of the file with the number of their runs.
        missing_files: Published artifacts at whose local paths nothing is.
        remote: Published artifacts in an object store.
        relative: Published artifacts whose path counts from the working directory.
        left_out: What a Trainwright store has no place for, in words, with numbers.
        remarks: What is another than it was, in words.
    """

    source: str
    counts: dict[str, int] = field(default_factory=dict)
    pipelines: dict[str, int] = field(default_factory=dict)
    missing_files: int = 0
    remote: int = 0
    relative: int = 0
    left_out: dict[str, int] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)


def find_import(store: SqlMetadataStore, file: MlmdFile) -> float | None:
    """When the records of the file were imported into the store; None if they were not."""
    found = store.get_context(ContextKey(contexts.IMPORT, file.fingerprint()))
    return None if found is None else found.created_at


def import_file(store: SqlMetadataStore, file: MlmdFile) -> ImportSummary:
    """Brings the records of a file over, with their ids, into a store that has none.

    Raises MlmdFileError, with the store as it was, if the store has records or the file is damaged.

    Example: `import_file(open_store("metadata.db"), file).counts["artifacts"]`
    """
    with store.loading() as load:
        _refuse_records(load.counts(), store.location)
        return _load(load, file)


def survey_file(file: MlmdFile) -> ImportSummary:
    """What `import_file` would bring over; nothing is written."""
    return _load(None, file)


def check_is_empty(store: SqlMetadataStore) -> None:
    """Raises MlmdFileError if the store has records, whose ids those of a file would clash with."""
    _refuse_records(store.count_records(), store.location)


def _refuse_records(counts: Mapping[str, int], location: str) -> None:
    present = {noun: count for noun, count in counts.items() if count}
    if present:
        listed = ", ".join(f"{count} {noun}" for noun, count in present.items())
        raise MlmdFileError(
            f"The store {location} has records already ({listed}), and an import keeps the ids of "
            "its file: they would clash. Import into a new store: --store PATH."
        )


def _load(load: BulkLoad | None, file: MlmdFile) -> ImportSummary:
    """Reads everything, and inserts it if there is somewhere to."""
    insert = load.insert if load is not None else lambda _, rows: sum(1 for _ in rows)
    reader = NodeReader(file)
    summary = ImportSummary(source=file.path)
    places = _Places(summary)
    counts = summary.counts
    counts["types"] = insert("types", reader.types.rows)
    counts["artifacts"] = insert("artifacts", places.watch(reader.artifacts()))
    counts["executions"] = insert("executions", reader.executions())
    counts["events"] = insert("events", read_events(file))
    counts["contexts"] = insert("contexts", reader.contexts())
    runs = reader.run_records()
    insert("runs", map(row_of_imported, runs))
    insert("run_nodes", itertools.chain.from_iterable(map(node_rows, runs)))
    for table, (source, noun) in _LINKS.items():
        insert(table, _links(file, source, noun))
    insert("attachments", _marks(file))
    for run in reader.runs.values():
        summary.pipelines[run.pipeline] = summary.pipelines.get(run.pipeline, 0) + 1
    _describe(summary, reader, file)
    if load is not None:
        _remember(load, file, summary)
    return summary


def _links(file: MlmdFile, table: str, noun: str) -> Iterator[dict[str, int]]:
    column = f"{noun.lower()}_id"
    query = (
        f"SELECT DISTINCT l.context_id, l.{column} FROM {table} AS l "
        f"JOIN Context AS c ON c.id = l.context_id JOIN {noun} AS n ON n.id = l.{column} "
        f"ORDER BY l.context_id, l.{column}"
    )
    for context_id, node_id in file.rows(query):
        yield {"context_id": context_id, column: node_id}


def _marks(file: MlmdFile) -> Iterator[dict[str, Any]]:
    content = json.dumps(IMPORTED_MARK)
    for (execution_id,) in file.rows("SELECT id FROM Execution ORDER BY id"):
        yield {"execution_id": execution_id, "name": MARK, "content": content}


class _Places:
    """Looks where the published artifacts lie, while their rows go by."""

    def __init__(self, summary: ImportSummary) -> None:
        self._summary = summary

    def watch(self, rows: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        for row in rows:
            if row["state"] == ArtifactState.LIVE.value:
                self._look_at(row["uri"])
            yield row

    def _look_at(self, uri: str) -> None:
        if is_remote(uri):
            self._summary.remote += 1
            return
        path = uri.removeprefix("file://")
        self._summary.relative += bool(path) and not os.path.isabs(path)
        self._summary.missing_files += "\0" in path or not os.path.exists(path)


def _describe(summary: ImportSummary, reader: NodeReader, file: MlmdFile) -> None:
    external = " UNION ALL ".join(
        f"SELECT external_id FROM {table} WHERE external_id IS NOT NULL"
        for table in ("Type", "Artifact", "Execution", "Context")
    )
    known = "SELECT COUNT(*) FROM Event AS e JOIN Artifact AS a ON a.id = e.artifact_id "
    known += "JOIN Execution AS x ON x.id = e.execution_id WHERE e.type BETWEEN 1 AND 7"
    lost = {
        "parent contexts": file.value("SELECT COUNT(*) FROM ParentContext"),
        "external ids": file.value(f"SELECT COUNT(*) FROM ({external})"),
        "events without a type, an artifact or an execution": (
            file.value("SELECT COUNT(*) FROM Event") - file.value(known)
        ),
    }
    summary.left_out = {what: count for what, count in lost.items() if count}
    if reader.unfinished:
        summary.remarks.append(
            f"Executions that had not finished, and count as FAILED now: {reader.unfinished}."
        )
    if reader.stateless:
        summary.remarks.append(
            "Artifacts and executions that had no state, and count as LIVE and COMPLETE: "
            f"{reader.stateless}."
        )
    if reader.types.renamed:
        summary.remarks.append(
            f"Types whose name another has already are called {', '.join(reader.types.renamed)}."
        )


def _remember(load: BulkLoad, file: MlmdFile, summary: ImportSummary) -> None:
    """Notes the import in the same transaction, behind all records of the file."""
    first_type = 1 + (file.value("SELECT MAX(id) FROM Type") or 0)
    context_id = 1 + (file.value("SELECT MAX(id) FROM Context") or 0)
    noted = {"source": os.path.abspath(file.path), **summary.counts}
    load.insert(
        "types",
        [
            {
                "id": first_type,
                "kind": "context",
                "name": contexts.IMPORT,
                "base_type": None,
                "properties": "{}",
            }
        ],
    )
    load.insert(
        "contexts",
        [
            {
                "id": context_id,
                "type_id": first_type,
                "name": file.fingerprint(),
                "custom_properties": json.dumps(noted),
                "created_at": time.time(),
            }
        ],
    )
