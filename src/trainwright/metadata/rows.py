"""Between rows and records: properties as JSON text, and records from rows."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from typing import Any

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


def decode_properties(text: str) -> Properties:
    properties: Properties = json.loads(text)
    return properties


def decode_attachment(text: str) -> Any:
    return json.loads(text)


@functools.lru_cache(maxsize=1024)
def _declared_properties(text: str) -> Mapping[str, str]:
    declared: Mapping[str, str] = json.loads(text)
    return declared


def type_from_columns(name: str, base_type: str | None, properties: str) -> TypeRecord:
    # A dict of its own for each record: what a caller does to it stays with the caller.
    return TypeRecord(
        name=name, base_type=base_type, properties=dict(_declared_properties(properties))
    )


def artifact_from_row(row: Row[Any]) -> ArtifactRecord:
    return ArtifactRecord(
        id=row.id,
        type=type_from_columns(row.type_name, row.base_type, row.type_properties),
        uri=row.uri,
        name=row.name,
        state=ArtifactState(row.state),
        properties=decode_properties(row.properties),
        custom_properties=decode_properties(row.custom_properties),
        created_at=row.created_at,
        updated_at=row.updated_at,
    )


def execution_from_row(row: Row[Any]) -> ExecutionRecord:
    lease = None
    if row.lease_host is not None:
        lease = Lease(
            host=row.lease_host,
            pid=row.lease_pid,
            process_started_at=row.lease_process_started_at,
            heartbeat_at=row.lease_heartbeat_at,
        )
    return ExecutionRecord(
        id=row.id,
        type=type_from_columns(row.type_name, row.base_type, row.type_properties),
        state=ExecutionState(row.state),
        custom_properties=decode_properties(row.custom_properties),
        lease=lease,
        created_at=row.created_at,
        updated_at=row.updated_at,
    )


def context_from_row(row: Row[Any]) -> ContextRecord:
    return ContextRecord(
        id=row.id,
        type_name=row.type_name,
        name=row.name,
        custom_properties=decode_properties(row.custom_properties),
        created_at=row.created_at,
    )


def event_from_row(row: Row[Any]) -> EventRecord:
    return EventRecord(
        execution_id=row.execution_id,
        artifact_id=row.artifact_id,
        type=EventType(row.type),
        key=row.key,
        # Not called `index`: a row is a tuple, which has a method of that name.
        index=row.position,
        at=row.at,
    )
