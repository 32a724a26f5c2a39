"""Cost of queries on a store that has grown: 400,000 executions in 100,000 runs.

The store is filled by bulk inserts into its tables, as no caller would: only the answers are timed.
"""

from __future__ import annotations

import tempfile
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

from measuring import Figure, median
from sqlalchemy import insert
from store import EXAMPLES, PROPERTIES, TRAINER, milliseconds_of, spread, write_step

from trainwright.history.run_history import find_run, list_runs
from trainwright.metadata import contexts, tables
from trainwright.metadata.connection import open_store
from trainwright.metadata.records import ExecutionState, RunNode, RunRecord, RunState
from trainwright.metadata.rows import encode_properties
from trainwright.metadata.run_rows import node_rows, row_of_imported
from trainwright.metadata.sql_store import SqlMetadataStore
from trainwright.metadata.store import MetadataStore

NODES = ["CsvExampleGen", "ImportSchemaGen", "Trainer", "Pusher"]
AIM_MILLISECONDS = 50.0

_RUNS_AT_ONCE = 2_000
_TYPES = {
    contexts.PIPELINE: 1,
    contexts.PIPELINE_RUN: 2,
    contexts.NODE: 3,
    contexts.EXECUTION_CACHE: 4,
    TRAINER.name: 5,
    EXAMPLES.name: 6,
}
_PIPELINE, _FIRST_NODE, _FIRST_RUN = 1, 2, 10

Rows = dict[str, list[dict[str, Any]]]


def run(quick: bool) -> list[Figure]:
    runs = 2_500 if quick else 100_000
    with tempfile.TemporaryDirectory() as directory:
        url = f"sqlite:///{Path(directory) / 'metadata.db'}"
        fill(url, runs)
        with open_store(url) as store:
            return time_questions(store, runs, 5 if quick else 30)


def time_questions(store: MetadataStore, runs: int, times: int) -> list[Figure]:
    """Asks each question this often; then writes a little more."""
    executions = runs * len(NODES)
    figures = []
    for what, ask in _questions(store, runs).items():
        measured = milliseconds_of(times, ask)
        figures.append(
            Figure(
                what=f"store of {executions:,} executions: {what}",
                value=median(measured),
                unit="ms",
                aim=AIM_MILLISECONDS,
                remark=spread(measured),
            )
        )
    written = milliseconds_of(times, lambda number: write_step(store, 10**9 + number, executions))
    return [
        *figures,
        Figure(
            what=f"store of {executions:,} executions: register and publish another",
            value=median(written),
            unit="ms",
            remark=spread(written),
        ),
    ]


def _questions(store: MetadataStore, runs: int) -> dict[str, Callable[[int], object]]:
    middle = runs // 2 * len(NODES) + 3
    pipeline = contexts.pipeline_context("penguin")
    key = contexts.cache_context(cache_key(middle))
    complete, running = [ExecutionState.COMPLETE], [ExecutionState.RUNNING]
    return {
        "list the newest 20 runs": lambda _: list_runs(store, limit=20),
        "list the newest 20 of a pipeline": lambda _: list_runs(
            store, pipeline="penguin", limit=20
        ),
        "list a pipeline's only run, an old one": lambda _: list_runs(
            store, pipeline="rare", limit=20
        ),
        "find a run by the beginning of its id": lambda _: find_run(store, f"run-{runs // 2:07d}"),
        "what an execution used and made, and who else did": lambda _: ask_lineage(store, middle),
        "look up a cache key": lambda _: store.get_executions(
            context=key, states=complete, limit=1
        ),
        "which executions of a pipeline run": lambda _: store.get_executions(
            context=pipeline, states=running
        ),
        "a pipeline's newest 20 examples": lambda _: store.get_artifacts(
            context=pipeline, type_name=EXAMPLES.name, limit=20
        ),
    }


def ask_lineage(store: MetadataStore, execution_id: int) -> None:
    """One step in both directions."""
    own = {event.artifact_id for event in store.get_events(execution_ids=[execution_id])}
    artifacts = store.get_artifacts(ids=own)
    around = {event.execution_id for event in store.get_events(artifact_ids=own)}
    assert len(artifacts) == 2
    assert len(around) == 3


def cache_key(number: int) -> str:
    return f"{number:064d}"


def fill(url: str, runs: int) -> None:
    """Writes runs of four nodes, each of which takes what the one before it has made."""
    with SqlMetadataStore(url) as store, store._backend.writing() as (connection, _):
        connection.execute(insert(tables.types), [_type(name) for name in _TYPES])
        shared = [
            _context(_PIPELINE, contexts.PIPELINE, "penguin", {}),
            *(
                _context(_FIRST_NODE + index, contexts.NODE, f"penguin.{node_id}", {})
                for index, node_id in enumerate(NODES)
            ),
        ]
        connection.execute(insert(tables.contexts), shared)
        for first in range(0, runs, _RUNS_AT_ONCE):
            rows: Rows = defaultdict(list)
            for number in range(first, min(first + _RUNS_AT_ONCE, runs)):
                _add_run(rows, number, "rare" if number == 7 else "penguin")
            for name, of_table in rows.items():
                connection.execute(insert(tables.schema.tables[name]), of_table)


def _type(name: str) -> dict[str, Any]:
    kind = {TRAINER.name: "execution", EXAMPLES.name: "artifact"}.get(name, "context")
    record = {TRAINER.name: TRAINER, EXAMPLES.name: EXAMPLES}.get(name)
    return {
        "id": _TYPES[name],
        "kind": kind,
        "name": name,
        "base_type": record.base_type if record else None,
        "properties": encode_properties(record.properties if record else {}),
    }


def _context(number: int, type_name: str, name: str, properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": number,
        "type_id": _TYPES[type_name],
        "name": name,
        "custom_properties": encode_properties(properties),
        "created_at": number,
    }


def _add_run(rows: Rows, number: int, pipeline: str) -> None:
    run_id = _FIRST_RUN + number * (len(NODES) + 1)
    properties = {"pipeline": pipeline, "root": "/root", "state": "complete", "nodes": NODES}
    name = f"run-{number:07d}-x"
    rows["contexts"].append(_context(run_id, contexts.PIPELINE_RUN, name, properties))
    record = RunRecord(
        id=run_id,
        run_id=name,
        pipeline=pipeline,
        state=RunState.COMPLETE,
        root="/root",
        nodes=tuple(RunNode(node_id=node_id) for node_id in NODES),
        started_at=run_id,
        updated_at=run_id,
        ended_at=run_id,
    )
    rows["runs"].append(row_of_imported(record))
    rows["run_nodes"] += node_rows(record)
    first = number * len(NODES) + 1
    for index, node_id in enumerate(NODES):
        key = _context(run_id + index + 1, contexts.EXECUTION_CACHE, cache_key(first + index), {})
        rows["contexts"].append(key)
        context_ids = [_PIPELINE, _FIRST_NODE + index, run_id, key["id"]]
        _add_execution(rows, first + index, node_id, context_ids)


def _add_execution(rows: Rows, number: int, node_id: str, context_ids: list[int]) -> None:
    """An execution and the artifact of the same number, made from the artifact before it."""
    common = {"id": number, "custom_properties": "{}", "created_at": number, "updated_at": number}
    properties = encode_properties({**PROPERTIES, "__node_id__": node_id})
    execution = {"type_id": _TYPES[TRAINER.name], "state": "COMPLETE"}
    rows["executions"].append({**common, **execution, "custom_properties": properties})
    # Below a root that is not there: only the store is timed.
    uri = f"/root/{node_id}/examples/{number}"
    artifact = {"type_id": _TYPES[EXAMPLES.name], "state": "LIVE", "properties": "{}"}
    rows["artifacts"].append({**common, **artifact, "uri": uri})
    touched = [(number, "OUTPUT")]
    if node_id != NODES[0]:
        touched.append((number - 1, "INPUT"))
    for artifact_id, event_type in touched:
        place = {"type": event_type, "key": "examples", "index": 0, "at": number}
        rows["events"].append({"execution_id": number, "artifact_id": artifact_id, **place})
    rows["associations"] += [{"context_id": id_, "execution_id": number} for id_ in context_ids]
    rows["attributions"] += [{"context_id": id_, "artifact_id": number} for id_ in context_ids]
