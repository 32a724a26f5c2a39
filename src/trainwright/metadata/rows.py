"""Between rows and records: properties as JSON text, and records from rows."""

from __future__ import annotations

import enum
import functools
import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from sqlalchemy import Row

from trainwright.metadata.records import (
    ArtifactRecord,
    ArtifactState,
    ContextRecord,
    EventRecord,
    EventType,
    ExecutionRecord,
    ExecutionState,
    Lease,
    Properties,
    TypeRecord,
)
from trainwright.metadata.store import DamagedRecordError, OnDamaged

# A lease, in a row of an execution or of a run.
LEASE_COLUMNS = ("lease_host", "lease_pid", "lease_process_started_at", "lease_heartbeat_at")

_Record = TypeVar("_Record")
_State = TypeVar("_State", bound=enum.Enum)

# NaN and the infinities are kept, as Python's json writes them: a metric that diverged must not
# lose the model that it was measured on.
_encode = json.JSONEncoder(sort_keys=True, separators=(",", ":")).encode


def encode_properties(properties: Mapping[str, Any]) -> str:
    """The properties as JSON; raises TypeError that names the one which JSON cannot hold."""
    for name in properties:
        if not isinstance(name, str):
            raise TypeError(f"The name of a property must be a str, got {name!r}.")
    try:
        return _encode(properties)
    except (TypeError, ValueError, RecursionError):
        for name, value in properties.items():
            _check_property(name, value)
        raise


def _check_property(name: str, value: object) -> None:
    _encode_named("Property", name, value)


def encode_attachment(name: str, content: object) -> str:
    """The attachment as JSON; raises TypeError that names it if JSON cannot hold it."""
    return _encode_named("Attachment", name, content)


def _encode_named(what: str, name: str, value: object) -> str:
    try:
        return _encode(value)
    except (TypeError, ValueError, RecursionError) as error:
        hint = " Decode the bytes first." if isinstance(value, bytes) else ""
        raise TypeError(
            f"{what} {name!r} cannot be stored: {error}. It must be an int, a float, a str, "
            f"a bool, None, or a list or dict of these; got a {type(value).__name__}.{hint}"
        ) from error


def decode_properties(text: str, row: str, column: str = "custom_properties") -> Properties:
    """The properties in a column; an error names the row, given as for example "artifact 3"."""
    properties = _decode(text, row, column)
    if not isinstance(properties, dict):
        raise DamagedRecordError(row, column, text, "a JSON object")
    return properties


def encode_list(values: Iterable[str]) -> str:
    return _encode(list(values))


def decode_list(text: str, row: str, column: str) -> list[Any]:
    """The list in a column; an error names the row."""
    values = _decode(text, row, column)
    if not isinstance(values, list):
        raise DamagedRecordError(row, column, text, "a JSON list")
    return values


def decode_attachment(row: Row[Any]) -> Any:
    named = f"attachment {row.name!r} of execution {row.execution_id}"
    return _decode(row.content, named, "content")


def _decode(text: object, row: str, column: str) -> Any:
    try:
        return json.loads(text)  # type: ignore[arg-type]
    except (TypeError, ValueError, RecursionError) as error:
        raise DamagedRecordError(row, column, text, f"JSON ({error})") from error


@functools.lru_cache(maxsize=1024)
def _declared_properties(name: str, text: str) -> Mapping[str, str]:
    return decode_properties(text, f"type {name!r}", "properties")


def type_from_columns(name: str, base_type: str | None, properties: str) -> TypeRecord:
    # A dict of its own for each record: what a caller does to it stays with the caller.
    return TypeRecord(
        name=name, base_type=base_type, properties=dict(_declared_properties(name, properties))
    )


def records_from(
    rows: Iterable[Any], convert: Callable[[Any], _Record], on_damaged: OnDamaged | None
) -> list[_Record]:
    """The records of the rows; `on_damaged` is told of those that are damaged, else the first of
    them raises DamagedRecordError."""
    if on_damaged is None:
        return [convert(row) for row in rows]
    records = []
    for row in rows:
        try:
            records.append(convert(row))
        except DamagedRecordError as error:
            on_damaged(error)
    return records


def state_from_row(row: Row[Any], kind: str, states: type[_State]) -> _State:
    """The state in a row of an artifact or an execution."""
    try:
        return states(row.state)
    except ValueError as error:
        expected = f"one of {', '.join(state.value for state in states)}"
        raise DamagedRecordError(f"{kind} {row.id}", "state", row.state, expected) from error


def check_times(row: Row[Any], named: str, *columns: str) -> None:
    """SQLite takes any value in any column."""
    for column in columns:
        value = getattr(row, column)
        if not isinstance(value, (int, float)):
            raise DamagedRecordError(named, column, value, "seconds since the epoch")


def artifact_from_row(row: Row[Any]) -> ArtifactRecord:
    named = f"artifact {row.id}"
    check_times(row, named, "created_at", "updated_at")
    if not isinstance(row.uri, str):
        raise DamagedRecordError(named, "uri", row.uri, "a path")
    return ArtifactRecord(
        id=row.id,
        type=type_from_columns(row.type_name, row.base_type, row.type_properties),
        uri=row.uri,
        name=row.name,
        state=state_from_row(row, "artifact", ArtifactState),
        properties=decode_properties(row.properties, named, "properties"),
        custom_properties=decode_properties(row.custom_properties, named),
        created_at=row.created_at,
        updated_at=row.updated_at,
    )


def lease_columns(lease: Lease | None) -> dict[str, Any]:
    """The values of a row's lease, by column; None for each if there is none."""
    if lease is None:
        return dict.fromkeys(LEASE_COLUMNS)
    values = (lease.host, lease.pid, lease.process_started_at, lease.heartbeat_at)
    return dict(zip(LEASE_COLUMNS, values, strict=True))


def lease_from_row(row: Any) -> Lease:
    """The lease of a row that has one."""
    return Lease(
        host=row.lease_host,
        pid=row.lease_pid,
        process_started_at=row.lease_process_started_at,
        heartbeat_at=row.lease_heartbeat_at,
    )


def execution_from_row(row: Row[Any]) -> ExecutionRecord:
    named = f"execution {row.id}"
    check_times(row, named, "created_at", "updated_at")
    return ExecutionRecord(
        id=row.id,
        type=type_from_columns(row.type_name, row.base_type, row.type_properties),
        state=state_from_row(row, "execution", ExecutionState),
        custom_properties=decode_properties(row.custom_properties, named),
        lease=lease_from_row(row) if row.lease_host is not None else None,
        created_at=row.created_at,
        updated_at=row.updated_at,
    )


def context_from_row(row: Row[Any]) -> ContextRecord:
    named = f"context {row.id} ({row.type_name} {row.name!r})"
    check_times(row, named, "created_at")
    return ContextRecord(
        id=row.id,
        type_name=row.type_name,
        name=row.name,
        custom_properties=decode_properties(row.custom_properties, named),
        created_at=row.created_at,
    )


def event_from_row(row: Row[Any]) -> EventRecord:
    try:
        event_type = EventType(row.type)
    except ValueError as error:
        named = f"the event between execution {row.execution_id} and artifact {row.artifact_id}"
        expected = f"one of {', '.join(known.value for known in EventType)}"
        raise DamagedRecordError(named, "type", row.type, expected) from error
    return EventRecord(
        execution_id=row.execution_id,
        artifact_id=row.artifact_id,
        type=event_type,
        key=row.key,
        # Not called `index`: a row is a tuple, which has a method of that name.
        index=row.position,
        at=row.at,
    )
