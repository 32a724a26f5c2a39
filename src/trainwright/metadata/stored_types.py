"""Types in the metadata store: created by their first mention, extended by later ones."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection, bindparam, insert, select, update

from trainwright.metadata.prepared import Prepared
from trainwright.metadata.records import TypeRecord
from trainwright.metadata.rows import encode_properties, type_from_columns
from trainwright.metadata.store import MetadataError
from trainwright.metadata.tables import types


class StoredType(NamedTuple):
    """A type as this process has last seen it; in the store it can only have grown since."""

    id: int
    record: TypeRecord


# By kind ("artifact", "execution", "context") and name.
StoredTypes = dict[tuple[str, str], StoredType]

_TYPE_BY_NAME = Prepared(
    select(types.c.id, types.c.name, types.c.base_type, types.c.properties).where(
        types.c.kind == bindparam("kind"), types.c.name == bindparam("name")
    )
)
_INSERT_TYPE = Prepared(
    insert(types).returning(types.c.id), columns=("kind", "name", "base_type", "properties")
)
_UPDATE_TYPE = Prepared(
    update(types).where(types.c.id == bindparam("type_id")), columns=("base_type", "properties")
)


def write_type(connection: Connection, kind: str, record: TypeRecord) -> StoredType:
    """Creates the type, or gives the stored one the properties that it has not had yet."""
    key = {"kind": kind, "name": record.name}
    row = _TYPE_BY_NAME.run(connection, key).one_or_none()
    if row is None:
        properties = encode_properties(record.properties)
        new = {**key, "base_type": record.base_type, "properties": properties}
        type_id = _INSERT_TYPE.run(connection, new).scalar()
        return StoredType(type_id, type_from_columns(record.name, record.base_type, properties))
    stored = type_from_columns(row.name, row.base_type, row.properties)
    merged = merged_type(stored, record)
    if merged != stored:
        properties = encode_properties(merged.properties)
        changes = {"base_type": merged.base_type, "properties": properties}
        _UPDATE_TYPE.run(connection, {"type_id": row.id, **changes})
    return StoredType(row.id, merged)


def covers(stored: TypeRecord, given: TypeRecord) -> bool:
    """Whether the stored type already has everything that the given one says."""
    return given.base_type in (None, stored.base_type) and (
        given.properties.items() <= stored.properties.items()
    )


def merged_type(stored: TypeRecord, given: TypeRecord) -> TypeRecord:
    """The stored type with what the given one adds; raises MetadataError if they contradict."""
    for name, kind in given.properties.items():
        if stored.properties.get(name, kind) != kind:
            raise MetadataError(
                f"Property {name!r} of type {given.name} is {stored.properties[name]} in the "
                f"metadata store and {kind} in this pipeline. Give the property or the type "
                "another name, or use a new store."
            )
    if stored.base_type and given.base_type and stored.base_type != given.base_type:
        raise MetadataError(
            f"The base type of {given.name} is {stored.base_type} in the metadata store and "
            f"{given.base_type} in this pipeline. Give the type another name, or use a new store."
        )
    return TypeRecord(
        name=stored.name,
        base_type=stored.base_type or given.base_type,
        properties={**stored.properties, **given.properties},
    )
