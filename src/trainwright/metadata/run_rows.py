"""Runs in SQL: their rows, and the contexts that repeat them for readers of ML Metadata."""

from __future__ import annotations

import dataclasses
import functools
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import Connection, Integer, bindparam, func, insert, select, update

from trainwright.metadata import contexts as context_types
from trainwright.metadata.prepared import Prepared
from trainwright.metadata.queries import checked_limit
from trainwright.metadata.records import Lease, Properties, RunNode, RunRecord, RunState
from trainwright.metadata.rows import (
    check_times,
    decode_list,
    encode_list,
    lease_columns,
    lease_from_row,
    records_from,
)
from trainwright.metadata.store import DamagedRecordError, OnDamaged
from trainwright.metadata.tables import run_nodes, runs

if TYPE_CHECKING:
    from trainwright.metadata.writing import WriteTransaction

# What a migration writes in the place of a state if it could not read what the run had noted.
DAMAGED = "damaged"

_INSERT = Prepared(insert(runs), columns=[column.name for column in runs.columns])
_INSERT_NODES = Prepared(insert(run_nodes), columns=[column.name for column in run_nodes.columns])
_THIS_RUN = runs.c.id == bindparam("context_id")
_REGISTER = Prepared(
    update(runs).where(_THIS_RUN),
    columns=[column.name for column in runs.columns if column.name != "id"],
)
_UPDATE = Prepared(
    update(runs).where(_THIS_RUN),
    columns=(
        *("state", "lease_heartbeat_at", "updated_at"),
        *("ended_at", "cancel_requested_at", "deleted_at"),
    ),
)
_SKIP = Prepared(
    update(run_nodes).where(
        run_nodes.c.run == bindparam("run_"), run_nodes.c.node_id == bindparam("node_")
    ),
    columns=("skip_reason",),
)
_BY_RUN_ID = Prepared(select(runs).where(runs.c.run_id == bindparam("run_id")))
_NODES_OF_RUN = Prepared(select(run_nodes).where(run_nodes.c.run == bindparam("run")))
_TIMES = ("started_at", "updated_at")
_TIMES_OF_SOME = ("ended_at", "cancel_requested_at", "deleted_at")


# Writing


def insert_unknown(connection: Connection, context_id: int, run_id: str, now: float) -> None:
    """The row of a run of which only the context is known, as other programs write it."""
    _INSERT.run(connection, _row(RunRecord(id=context_id, run_id=run_id), now))


def register(
    transaction: WriteTransaction,
    run_id: str,
    *,
    pipeline: str,
    root: str,
    nodes: Sequence[RunNode],
    lease: Lease,
) -> RunRecord:
    connection, now = transaction.connection, transaction.now
    key = context_types.run_context(run_id)
    (context_id,) = transaction.put_contexts([key])  # which makes the run's row with the context
    known = by_run_id(connection, run_id)
    assert known is not None, "a context of a run has a row beside it"
    if known.state is not RunState.UNKNOWN or known.nodes:
        raise ValueError(
            f"Run {run_id!r} was registered before, by pipeline {known.pipeline!r}. Give the new "
            "run an id of its own."
        )
    record = RunRecord(
        id=context_id,
        run_id=run_id,
        pipeline=pipeline,
        state=RunState.RUNNING,
        root=root,
        nodes=tuple(nodes),
        lease=dataclasses.replace(lease, heartbeat_at=now),
        started_at=now,
        updated_at=now,
    )
    names = [node.node_id for node in nodes]
    if len(set(names)) < len(names):
        raise ValueError(f"Run {run_id!r} has a node twice: {', '.join(names)}.")
    _REGISTER.run(connection, {**_row(record, now), "context_id": context_id})
    _INSERT_NODES.run_many(connection, node_rows(record))
    transaction.add_context_properties(key, as_properties(record))
    return record


def change(
    transaction: WriteTransaction,
    run_id: str,
    *,
    state: RunState | None,
    skipped: Mapping[str, str],
    is_alive: bool,
    cancel: bool,
    delete: bool,
) -> RunRecord:
    connection, now = transaction.connection, transaction.now
    before = by_run_id(connection, run_id)
    if before is None:
        raise KeyError(run_id)
    missing = skipped.keys() - {node.node_id for node in before.nodes}
    if missing:
        raise KeyError(min(missing))
    after = dataclasses.replace(before, updated_at=now)
    if state is not None:
        ended_at = None if state is RunState.RUNNING else now
        after = dataclasses.replace(after, state=state, ended_at=ended_at)
    if is_alive and before.lease is not None:
        after = dataclasses.replace(
            after, lease=dataclasses.replace(before.lease, heartbeat_at=now)
        )
    if cancel and before.cancel_requested_at is None:
        after = dataclasses.replace(after, cancel_requested_at=now)
    if delete and before.deleted_at is None:
        after = dataclasses.replace(after, deleted_at=now)
    for node_id, reason in skipped.items():
        _SKIP.run(connection, {"run_": before.id, "node_": node_id, "skip_reason": reason})
    if skipped:
        nodes = (
            dataclasses.replace(node, skip_reason=skipped.get(node.node_id, node.skip_reason))
            for node in before.nodes
        )
        after = dataclasses.replace(after, nodes=tuple(nodes))
    _UPDATE.run(
        connection,
        {
            "context_id": before.id,
            "state": after.state.value,
            "lease_heartbeat_at": after.lease.heartbeat_at if after.lease else None,
            "updated_at": now,
            **{name: getattr(after, name) for name in _TIMES_OF_SOME},
        },
    )
    old = as_properties(before)
    new = {name: value for name, value in as_properties(after).items() if value != old.get(name)}
    if new:
        transaction.add_context_properties(context_types.run_context(run_id), new)
    return after


def as_properties(run: RunRecord) -> Properties:
    """What the context of a run says of it; nothing of a run of which nothing is known."""
    if run.state is RunState.UNKNOWN and not run.pipeline:
        properties: Properties = {}
    else:
        properties = {
            "pipeline": run.pipeline,
            "state": run.state.value,
            "nodes": [node.node_id for node in run.nodes],
        }
    if run.root:
        properties["root"] = run.root
    if run.lease is not None:
        properties["host"] = run.lease.host
        properties["pid"] = run.lease.pid
        properties["process_started_at"] = run.lease.process_started_at
        properties["heartbeat_at"] = run.lease.heartbeat_at
    upstream = {node.node_id: node.upstream for node in run.nodes if node.upstream is not None}
    if upstream:
        properties["upstream"] = {node_id: list(others) for node_id, others in upstream.items()}
    skipped = {node.node_id: node.skip_reason for node in run.nodes if node.skip_reason is not None}
    if skipped:
        properties["skipped"] = skipped
    for name in ("cancel_requested_at", "deleted_at"):
        if getattr(run, name) is not None:
            properties[name] = getattr(run, name)
    return properties


def row_of_imported(run: RunRecord) -> dict[str, Any]:
    """The row of a run with the times that it brings with it; `node_rows` gives those of its
    nodes."""
    return {**_row(run, run.started_at), "updated_at": run.updated_at, "ended_at": run.ended_at}


def node_rows(run: RunRecord) -> list[dict[str, Any]]:
    return [
        {
            "run": run.id,
            "node_id": node.node_id,
            "position": position,
            "upstream": None if node.upstream is None else encode_list(node.upstream),
            "skip_reason": node.skip_reason,
        }
        for position, node in enumerate(run.nodes)
    ]


def _row(run: RunRecord, now: float) -> dict[str, Any]:
    lease = dataclasses.replace(run.lease, heartbeat_at=now) if run.lease else None
    return {
        "id": run.id,
        "run_id": run.run_id,
        "pipeline": run.pipeline,
        "state": run.state.value,
        "root": run.root,
        **lease_columns(lease),
        "started_at": now,
        "updated_at": now,
        **dict.fromkeys(_TIMES_OF_SOME),
    }


# Reading


def by_run_id(connection: Connection, run_id: str) -> RunRecord | None:
    row = _BY_RUN_ID.run(connection, {"run_id": run_id}).one_or_none()
    if row is None:
        return None
    return _record(row, list(_NODES_OF_RUN.run(connection, {"run": row.id})))


def find(
    connection: Connection,
    *,
    pipeline: str | None,
    id_prefix: str | None,
    with_deleted: bool,
    limit: int | None,
    on_damaged: OnDamaged | None,
) -> list[RunRecord]:
    query = _query(
        pipeline is not None,
        id_prefix is not None,
        with_deleted,
        checked_limit(limit) is not None,
    )
    parameters: dict[str, Any] = {} if limit is None else {"limit": limit}
    if pipeline is not None:
        parameters["pipeline"] = pipeline
    if id_prefix is not None:
        parameters.update(prefix=id_prefix, length=len(id_prefix))
    rows = query.runs.run(connection, parameters)
    nodes: dict[int, list[Any]] = defaultdict(list)
    for node in query.nodes.run(connection, parameters):
        nodes[node.run].append(node)
    return records_from(rows, lambda row: _record(row, nodes.get(row.id, ())), on_damaged)


class _Query(NamedTuple):
    """The question for runs, and that for their nodes, which repeats it: a list of their ids would
    have to be compiled for each length."""

    runs: Prepared
    nodes: Prepared


@functools.cache
def _query(of_pipeline: bool, has_prefix: bool, with_deleted: bool, is_limited: bool) -> _Query:
    query = select(runs).order_by(runs.c.id.desc())
    if of_pipeline:
        query = query.where(runs.c.pipeline == bindparam("pipeline"))
    if has_prefix:
        begins = func.substr(runs.c.run_id, 1, bindparam("length", type_=Integer))
        query = query.where(begins == bindparam("prefix"))
    if not with_deleted:
        query = query.where(runs.c.deleted_at.is_(None))
    if is_limited:
        query = query.limit(bindparam("limit", type_=Integer))
    nodes = select(run_nodes).where(run_nodes.c.run.in_(query.with_only_columns(runs.c.id)))
    return _Query(Prepared(query), Prepared(nodes))


def _record(row: Any, nodes: Sequence[Any]) -> RunRecord:
    named = f"run {row.run_id!r} (context {row.id})"
    check_times(row, named, *_TIMES)
    check_times(row, named, *(name for name in _TIMES_OF_SOME if getattr(row, name) is not None))
    for name in ("run_id", "pipeline", "root"):
        _check(named, name, getattr(row, name), str)
    state = _state(row, named)
    lease = None
    if row.lease_host is not None or state is RunState.RUNNING:
        _check(named, "lease_host", row.lease_host, str)
        _check(named, "lease_pid", row.lease_pid, int)
        check_times(row, named, "lease_process_started_at", "lease_heartbeat_at")
        lease = lease_from_row(row)
    return RunRecord(
        id=row.id,
        run_id=row.run_id,
        pipeline=row.pipeline,
        state=state,
        root=row.root,
        nodes=tuple(_node(node, named) for node in sorted(nodes, key=lambda node: node.position)),
        lease=lease,
        started_at=row.started_at,
        updated_at=row.updated_at,
        ended_at=row.ended_at,
        cancel_requested_at=row.cancel_requested_at,
        deleted_at=row.deleted_at,
    )


def _state(row: Any, named: str) -> RunState:
    try:
        return RunState(row.state)
    except ValueError as error:
        expected = f"one of {', '.join(state.value for state in RunState)}"
        if row.state == DAMAGED:
            expected += (
                " (the custom properties of its context were not those of a run when the store "
                "was migrated)"
            )
        raise DamagedRecordError(named, "state", row.state, expected) from error


def _node(row: Any, named: str) -> RunNode:
    _check(named, "a node with id", row.node_id, str)
    if row.skip_reason is not None:
        _check(named, "a node with skip_reason", row.skip_reason, str)
    upstream = None
    if row.upstream is not None:
        upstream = decode_list(row.upstream, f"node {row.node_id!r} of {named}", "upstream")
        for other in upstream:
            _check(f"node {row.node_id!r} of {named}", "an upstream node", other, str)
    return RunNode(
        node_id=row.node_id,
        upstream=None if upstream is None else tuple(upstream),
        skip_reason=row.skip_reason,
    )


def _check(named: str, column: str, value: object, expected: type) -> None:
    if not isinstance(value, expected):
        raise DamagedRecordError(named, column, value, expected.__name__)
