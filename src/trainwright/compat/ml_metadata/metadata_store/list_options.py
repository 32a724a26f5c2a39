"""ListOptions: order, limit and filter of a list of nodes."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from trainwright.compat.ml_metadata.sqlite.listing import Listing
from trainwright.proto.mlmd.metadata_store_pb2 import ListOperationOptions

_FIELDS = ListOperationOptions.OrderByField


@enum.unique
class OrderByField(enum.Enum):
    """What a list can be ordered by."""

    CREATE_TIME = _FIELDS.CREATE_TIME
    UPDATE_TIME = _FIELDS.LAST_UPDATE_TIME
    ID = _FIELDS.ID


@dataclass
class ListOptions:
    """Which nodes to list, and in which order.

    Args:
        limit: At most this many; all of them if it is None.
        order_by: The field that orders them; by default their ids do.
        is_asc: Whether the smallest comes first.
        filter_query: A condition in the syntax of SQL: `"contexts_a.name = 'penguin' AND state =
            LIVE"`. It may name fields of the node, `properties.NAME.int_value`,
            `custom_properties.NAME.string_value`, and records beside it: `contexts_0.type`,
            `events_0.execution_id`, `parent_contexts_0.id`.

    Example:
        >>> newest = ListOptions(limit=1, order_by=OrderByField.CREATE_TIME, is_asc=False)
        >>> store.get_artifacts(newest)  # doctest: +SKIP
    """

    limit: int | None = None
    order_by: OrderByField | None = None
    is_asc: bool = True
    filter_query: str | None = None


def listing_of(options: ListOptions | None, context_id: int | None = None) -> Listing:
    """What the database is asked; everything in the order of the ids without options."""
    if options is None:
        return Listing(context_id=context_id)
    return Listing(
        filter_query=options.filter_query or None,
        order_by=(options.order_by or OrderByField.ID).value,
        is_ascending=options.is_asc,
        limit=options.limit or None,
        context_id=context_id,
    )
