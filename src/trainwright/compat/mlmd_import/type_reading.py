"""The types of an ml-metadata file as rows of a Trainwright store."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from trainwright.compat.ml_metadata.sqlite.schema import (
    ARTIFACT_TYPE,
    CONTEXT_TYPE,
    EXECUTION_TYPE,
    SYSTEM_TYPES,
)
from trainwright.compat.mlmd_import.source_file import MlmdFile
from trainwright.metadata import contexts
from trainwright.metadata.rows import encode_properties
from trainwright.proto.mlmd import metadata_store_pb2 as mlmd

_KINDS = {ARTIFACT_TYPE: "artifact", EXECUTION_TYPE: "execution", CONTEXT_TYPE: "context"}
_USED = " UNION ".join(
    f"SELECT type_id FROM {table}" for table in ("Artifact", "Execution", "Context")
)


@dataclass(kw_only=True)
class ImportedTypes:
    """The types of a file.

    Args:
        rows: For the table of types, with the ids of the file.
        ids: The ids by kind: "artifact", "execution", "context".
        renamed: New names of types whose name another has already: versions of one type.
    """

    rows: list[dict[str, Any]] = field(default_factory=list)
    ids: dict[str, set[int]] = field(default_factory=dict)
    renamed: list[str] = field(default_factory=list)

    def named(self, kind: str, name: str) -> set[int]:
        """The ids of the types of a kind that have this name."""
        return {row["id"] for row in self.rows if (row["kind"], row["name"]) == (kind, name)}


def read_types(file: MlmdFile) -> ImportedTypes:
    """Reads the types; base types that no record is of become the `base_type` of others."""
    used = {type_id for (type_id,) in file.rows(_USED)}
    names = dict(file.rows("SELECT id, name FROM Type"))
    base_types = {
        type_id: names[parent].partition(".")[2]
        for type_id, parent in file.rows("SELECT type_id, parent_type_id FROM ParentType")
        if names.get(parent) in SYSTEM_TYPES
    }
    properties = _declared_properties(file)
    found = ImportedTypes(ids={kind: set() for kind in _KINDS.values()})
    taken = {("context", contexts.IMPORT)}
    query = "SELECT id, name, version, type_kind FROM Type ORDER BY id"
    for type_id, name, version, number in file.rows(query):
        kind = _KINDS.get(number)
        if kind is None or (name in SYSTEM_TYPES and type_id not in used):
            continue
        stored_name = _free_name(str(name), version, type_id, kind, taken)
        if stored_name != name:
            found.renamed.append(stored_name)
        taken.add((kind, stored_name))
        found.ids[kind].add(type_id)
        found.rows.append(
            {
                "id": type_id,
                "kind": kind,
                "name": stored_name,
                "base_type": base_types.get(type_id),
                "properties": encode_properties(properties.get(type_id, {})),
            }
        )
    return found


def _declared_properties(file: MlmdFile) -> dict[int, dict[str, str]]:
    kinds = {number: name for name, number in mlmd.PropertyType.items()}
    declared: dict[int, dict[str, str]] = {}
    rows = file.rows("SELECT type_id, name, data_type FROM TypeProperty ORDER BY type_id, name")
    for type_id, name, number in rows:
        if number in kinds:
            declared.setdefault(type_id, {})[str(name)] = kinds[number]
    return declared


def _free_name(
    name: str, version: object, type_id: int, kind: str, taken: set[tuple[str, str]]
) -> str:
    """The name itself for the first type that has it; a store here knows no versions of types."""
    candidates: Iterator[str] = iter((name, f"{name}@{version or type_id}", f"{name}@{type_id}"))
    return next(
        (one for one in candidates if (kind, one) not in taken), f"{name}@{version}@{type_id}"
    )
