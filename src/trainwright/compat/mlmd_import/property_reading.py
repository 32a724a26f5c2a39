"""The properties of ml-metadata's nodes as a Trainwright store keeps them: JSON values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from trainwright.compat.ml_metadata.sqlite.values import VALUE_COLUMNS, read_columns
from trainwright.compat.mlmd_import.source_file import MlmdFile
from trainwright.metadata.records import Properties

# (declared properties, custom properties)
NodeProperties = tuple[Properties, Properties]


class PropertyReader:
    """Gives the properties of nodes that are asked for in the order of their ids.

    Reads the table once, beside the table of the nodes, so that memory holds one node at a time.
    """

    def __init__(self, file: MlmdFile, noun: str) -> None:
        columns = ", ".join(("name", "is_custom_property", *VALUE_COLUMNS))
        query = f"SELECT {noun}_id, {columns} FROM {noun}Property ORDER BY {noun}_id"
        self._rows: Iterator[tuple[Any, ...]] = file.rows(query)
        self._next = next(self._rows, None)

    def of(self, node_id: int) -> NodeProperties:
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
