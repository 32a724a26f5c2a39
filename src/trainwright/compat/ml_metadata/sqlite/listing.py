"""Lists of nodes: all, those of a context, those that a filter query selects."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from typing import Any

from trainwright.compat.ml_metadata import errors
from trainwright.compat.ml_metadata.sqlite.filter_query import Selection, translate
from trainwright.compat.ml_metadata.sqlite.node_kinds import ARTIFACT, NodeKind, NodeMessage
from trainwright.compat.ml_metadata.sqlite.nodes import nodes_in_order
from trainwright.proto.mlmd.metadata_store_pb2 import ListOperationOptions

_FIELDS = ListOperationOptions.OrderByField
_ORDER_COLUMNS = {
    _FIELDS.CREATE_TIME: "create_time_since_epoch",
    _FIELDS.LAST_UPDATE_TIME: "last_update_time_since_epoch",
    _FIELDS.ID: "id",
}


@dataclass(frozen=True, kw_only=True)
class Listing:
    """Which nodes, in which order, and how many of them."""

    filter_query: str | None = None
    order_by: int = _FIELDS.ID
    is_ascending: bool = True
    limit: int | None = None
    context_id: int | None = None

    def __post_init__(self) -> None:
        if self.limit is not None and self.limit < 1:
            raise errors.InvalidArgumentError(
                "Invalid list_options.limit value passed. list_options.limit is expected to be "
                f"greater than 1, got {self.limit}"
            )


def listed_ids(connection: sqlite3.Connection, kind: NodeKind, listing: Listing) -> list[int]:
    """The ids of the nodes in their order."""
    query = listing.filter_query
    chosen = translate(query, kind) if query else Selection("", "TRUE", [])
    condition, parameters = chosen.condition, list[Any](chosen.parameters)
    if listing.context_id is not None:
        table = "Attribution" if kind is ARTIFACT else "Association"
        condition += f" AND n.id IN (SELECT {kind.id_column} FROM {table} WHERE context_id = ?)"
        parameters.append(listing.context_id)
    column = _ORDER_COLUMNS[listing.order_by]  # type: ignore[index]
    way = "ASC" if listing.is_ascending else "DESC"
    rows = connection.execute(
        f"SELECT DISTINCT n.id, n.{column} FROM {kind.table} AS n{chosen.joins} "
        f"WHERE {condition} ORDER BY n.{column} {way}, n.id {way} LIMIT ?",
        [*parameters, -1 if listing.limit is None else listing.limit],
    )
    return [row[0] for row in rows]


def listed_nodes(
    connection: sqlite3.Connection, kind: NodeKind, listing: Listing
) -> list[NodeMessage]:
    return nodes_in_order(connection, kind, listed_ids(connection, kind, listing))
