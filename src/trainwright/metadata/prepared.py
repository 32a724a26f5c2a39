"""Statements that are compiled once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, CursorResult
from sqlalchemy.sql.expression import ClauseElement


class Prepared:
    """A statement that goes to the driver as the SQL it was compiled to at its first use.

    `Connection.execute` spends many times the duration of a small statement on finding what it has
    compiled and on converting values. Registering a node is a dozen small statements, whose values
    are texts and numbers that need no conversion.

    Args:
        statement: The statement. It must not have lists of unknown length in it, as in IN.
        columns: The columns that an INSERT or UPDATE sets.
        suffix: SQL to put behind the compiled one.
    """

    def __init__(
        self, statement: ClauseElement, *, columns: Sequence[str] = (), suffix: str = ""
    ) -> None:
        self._statement = statement
        self._columns = columns
        self._suffix = suffix
        self._compiled: dict[str, _Sql] = {}

    def run(self, connection: Connection, parameters: Mapping[str, Any]) -> CursorResult[Any]:
        sql = self._sql(connection)
        return connection.exec_driver_sql(sql.text, sql.arguments(parameters))

    def run_many(self, connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
        """Runs once per row, in one call of the driver; not at all for no rows."""
        if rows:
            sql = self._sql(connection)
            connection.exec_driver_sql(sql.text, [sql.arguments(row) for row in rows])

    def _sql(self, connection: Connection) -> _Sql:
        name = connection.dialect.name
        if name not in self._compiled:
            self._compiled[name] = _Sql(self._statement, connection, self._columns, self._suffix)
        return self._compiled[name]


class _Sql:
    """A statement in one dialect, and how this dialect wants its parameters."""

    def __init__(
        self, statement: ClauseElement, connection: Connection, columns: Sequence[str], suffix: str
    ) -> None:
        compiled: Any = statement.compile(
            dialect=connection.dialect, column_keys=list(columns), for_executemany=True
        )
        self.text = f"{compiled} {suffix}".rstrip()
        self._constants: dict[str, Any] = {
            name: bind.value for name, bind in compiled.binds.items() if not bind.required
        }
        self._positions: Sequence[str] | None = compiled.positiontup

    def arguments(self, parameters: Mapping[str, Any]) -> Any:
        values = {**self._constants, **parameters}
        if self._positions is None:
            return values
        return tuple([values[name] for name in self._positions])
