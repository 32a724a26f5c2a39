"""Bulk load: fills a store that has no records with records of another one, ids included."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from sqlalchemy import Connection, Table, func, select

from trainwright.metadata.tables import (
    artifacts,
    associations,
    attachments,
    attributions,
    contexts,
    events,
    executions,
    run_nodes,
    runs,
    types,
)

# A row by the names of its columns.
RowValues = Mapping[str, Any]

_TABLES: dict[str, Table] = {
    table.name: table
    for table in (
        types,
        artifacts,
        executions,
        contexts,
        events,
        attachments,
        attributions,
        associations,
        runs,
        run_nodes,
    )
}
# How many rows go to the database at once: what is in memory at a time.
_CHUNK = 5000


class BulkLoad:
    """The rows of one transaction. Referenced rows must come first: types before artifacts.

    Args:
        connection: The transaction, in which nobody else writes.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def counts(self) -> dict[str, int]:
        """How many artifacts, executions, contexts and types the store has already."""
        return count_records(self._connection)

    def insert(self, table: str, rows: Iterable[RowValues]) -> int:
        """Inserts rows, each with all columns of the table; returns how many there were.

        Example: `load.insert("associations", [{"context_id": 1, "execution_id": 2}])`
        """
        # Straight to the driver: SQLAlchemy's own way looks at each value of each row.
        compiled = _TABLES[table].insert().compile(dialect=self._connection.dialect)
        in_order = (
            operator.itemgetter(*(compiled.positiontup or ())) if compiled.positional else None
        )
        count = 0
        for chunk in _chunks(rows):
            values = chunk if in_order is None else list(map(in_order, chunk))
            self._connection.exec_driver_sql(compiled.string, values)
            count += len(chunk)
        return count


def count_records(connection: Connection) -> dict[str, int]:
    return {
        table.name: connection.execute(select(func.count()).select_from(table)).scalar_one()
        for table in (artifacts, executions, contexts, types)
    }


def _chunks(rows: Iterable[RowValues]) -> Iterator[list[RowValues]]:
    iterator = iter(rows)
    while chunk := list(itertools.islice(iterator, _CHUNK)):
        yield chunk
