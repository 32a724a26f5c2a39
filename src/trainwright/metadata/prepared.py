"""Statements that are compiled once."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError
from sqlalchemy.sql.expression import ClauseElement


class Prepared:
    """A statement that goes to the driver as the SQL it was compiled to at its first use.

    `Connection.execute` spends many times the duration of a small statement on finding what it has
    compiled, on converting values and on describing the result. Registering a node is a dozen small
    statements, whose values are strings and numbers that need no conversion.

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

    def run(self, connection: Connection, parameters: Mapping[str, Any]) -> Rows:
        sql = self._sql(connection)
        cursor = connection.connection.cursor()
        try:
            cursor.execute(sql.text, sql.arguments(parameters))
            return sql.rows(cursor)
        except connection.dialect.loaded_dbapi.Error as error:
            raise _wrapped(error, connection, sql.text) from error
        finally:
            cursor.close()

    def run_many(self, connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
        """Runs once per row, in one call of the driver; not at all for no rows."""
        if not rows:
            return
        sql = self._sql(connection)
        cursor = connection.connection.cursor()
        try:
            cursor.executemany(sql.text, [sql.arguments(row) for row in rows])
        except connection.dialect.loaded_dbapi.Error as error:
            raise _wrapped(error, connection, sql.text) from error
        finally:
            cursor.close()

    def _sql(self, connection: Connection) -> _Sql:
        name = connection.dialect.name
        if name not in self._compiled:
            self._compiled[name] = _Sql(self._statement, connection, self._columns, self._suffix)
        return self._compiled[name]


class Rows:
    """What a statement has returned: named tuples."""

    def __init__(self, rows: list[Any]) -> None:
        self._rows = rows

    def __iter__(self) -> Iterator[Any]:
        return iter(self._rows)

    def one_or_none(self) -> Any:
        """The only row, or None if there is none."""
        assert len(self._rows) <= 1, "at most one row was expected"
        return self._rows[0] if self._rows else None

    def scalar(self) -> Any:
        """The first column of the only row, or None if there is none."""
        row = self.one_or_none()
        return None if row is None else row[0]

    def scalars(self) -> list[Any]:
        """The first column of every row."""
        return [row[0] for row in self._rows]


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
        self._row: Any = None

    def arguments(self, parameters: Mapping[str, Any]) -> Any:
        values = {**self._constants, **parameters}
        if self._positions is None:
            return values
        return tuple([values[name] for name in self._positions])

    def rows(self, cursor: Any) -> Rows:
        if cursor.description is None:
            return Rows([])
        if self._row is None:
            self._row = _row_type([column[0] for column in cursor.description])
        return Rows(list(map(self._row._make, cursor.fetchall())))


def _row_type(names: Sequence[str]) -> Any:
    return namedtuple("Row", names, rename=True)


def _wrapped(error: Any, connection: Connection, statement: str) -> DBAPIError:
    """The driver's error as SQLAlchemy raises it; a connection that is lost is not used again."""
    is_lost = connection.dialect.is_disconnect(error, connection.connection.driver_connection, None)
    if is_lost:
        connection.invalidate(error)
    wrapped = DBAPIError.instance(
        statement,
        None,
        error,
        connection.dialect.loaded_dbapi.Error,
        connection_invalidated=is_lost,
        dialect=connection.dialect,
    )
    assert isinstance(wrapped, DBAPIError)
    return wrapped
