"""Everything that the SQL store must know about PostgreSQL: connecting, locking, error messages."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterable, Iterator
from typing import Any

from sqlalchemy import Connection, create_engine
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import QueuePool

from trainwright._imports import require
from trainwright.metadata.backend import Backend
from trainwright.metadata.store import MetadataError, StoreUnavailableError
from trainwright.metadata.store_urls import hide_password, postgres_address, without_password

LOCK_TIMEOUT_SECONDS = 60.0

# Used unless the URL or the environment says otherwise. Without them a host that has vanished is
# waited for forever when connecting, and for two hours when its answer does not come.
_DEFAULTS = {
    "connect_timeout": "10",
    "keepalives_idle": "30",
    "keepalives_interval": "10",
    "keepalives_count": "3",
    "application_name": "trainwright",
}

_BEGIN_READING = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
_BEGIN_WRITING = "BEGIN ISOLATION LEVEL READ COMMITTED"

_NOW = "SELECT extract(epoch FROM clock_timestamp())::double precision"
# One lock for each store, that is for each schema of a database. It ends with the transaction.
# Waiting in PostgreSQL's queue is fair; one writer at a time gives ids and times that rise in the
# order in which they become visible, and no two transactions can wait for each other.
_NOW_LOCKED = f"{_NOW} FROM pg_advisory_xact_lock(1953656173, hashtext(current_schema()))"
_TABLES = "SELECT tablename FROM pg_catalog.pg_tables WHERE schemaname = current_schema()"

# Why a connection is refused for a reason that will not pass by waiting, and what to do then. The
# library gives no codes here, only text.
_REFUSALS = (
    (
        r"authentication failed|no password supplied",
        "Check the user and the password: in the URL, in PGPASSWORD or in ~/.pgpass.",
    ),
    (r'role ".*" does not exist', "Check the user in the URL, or create it with createuser."),
    (r'database ".*" does not exist', "Create it with createdb, or check its name in the URL."),
    (r"no pg_hba\.conf entry", "Let this host and user in, in the server's pg_hba.conf."),
    (r"does not support SSL|certificate", "Check sslmode in the URL, and the certificates."),
    (r"permission denied for database", "Let this user in: GRANT CONNECT ON DATABASE."),
)

_NO_PERMISSION = "42501"
_LOCK_NOT_AVAILABLE = "55P03"
_DISK_FULL = "53100"
_READ_ONLY = "25006"
_UNDEFINED_TABLE = "42P01"
_ADVICE = {
    _NO_PERMISSION: "Give its user the right to create and change tables there: GRANT CREATE, "
    "USAGE ON SCHEMA.",
    _LOCK_NOT_AVAILABLE: "Another process has been writing for too long: stop it or try again.",
    _DISK_FULL: "Make room on the server's disk.",
    _READ_ONLY: "Give the address of a server that can be written to, not of a replica.",
    _UNDEFINED_TABLE: "A table of the store is gone: restore it from a backup, or use a new store.",
}


class PostgresBackend(Backend):
    """The connections to one PostgreSQL database, in the schema that is current for its user."""

    def __init__(self, url: str) -> None:
        self.location = without_password(url)
        self._connect_arguments = _connect_arguments(url)
        self._engine = create_engine(
            "postgresql+psycopg://",
            # The password stays out of SQLAlchemy, and PostgreSQL's own library reads the URL.
            creator=self._connect,
            # The driver begins no transactions of its own: the methods below do.
            isolation_level="AUTOCOMMIT",
            use_native_hstore=False,
            hide_parameters=True,
            # A thread checks a connection out for the length of a transaction, so no two threads
            # share one, and no thread waits for another's.
            poolclass=QueuePool,
            max_overflow=-1,
        )

    @contextlib.contextmanager
    def reading(self) -> Iterator[Connection]:
        with self._begun(_BEGIN_READING) as connection:
            yield connection

    @contextlib.contextmanager
    def writing(self) -> Iterator[tuple[Connection, float]]:
        with self._begun(_BEGIN_WRITING) as connection:
            yield connection, float(connection.exec_driver_sql(_NOW_LOCKED).scalar_one())

    @contextlib.contextmanager
    def _begun(self, begin: str) -> Iterator[Connection]:
        connection = self._engine.connect()
        try:
            try:
                connection.exec_driver_sql(begin)
            except DBAPIError as error:
                if not error.connection_invalidated:
                    raise
                # The server was restarted since this connection was last used. Nothing has been
                # done yet, so another one can do it.
                connection.close()
                connection = self._engine.connect()
                connection.exec_driver_sql(begin)
            yield connection
            connection.commit()
        finally:
            # Undoes what was not committed.
            connection.close()

    def now(self, connection: Connection) -> float:
        """The server's clock: those of the hosts may differ."""
        return float(connection.exec_driver_sql(_NOW).scalar_one())

    def table_names(self, connection: Connection) -> set[str]:
        if connection.exec_driver_sql("SELECT current_schema()").scalar() is None:
            raise MetadataError(
                f"The search path at {self.location} leads to no schema. Create the one that it "
                "names (CREATE SCHEMA), or name another: ?options=-csearch_path%3Dname."
            )
        return set(connection.exec_driver_sql(_TABLES).scalars())

    def settle(self) -> None:
        """Nothing: PostgreSQL is set up by its administrator."""

    @contextlib.contextmanager
    def spending_ids(self, connection: Connection) -> Iterator[None]:
        """Nothing to do: a sequence of PostgreSQL is not rolled back."""
        del connection
        yield

    def skip_used_ids(self, connection: Connection) -> None:
        """PostgreSQL's sequences know nothing of ids that a row brings with it."""
        for table in ("types", "artifacts", "executions", "contexts"):
            connection.exec_driver_sql(
                f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), "
                f"(SELECT COALESCE(MAX(id), 0) + 1 FROM {table}), false)"
            )

    def explain(self, error: DBAPIError) -> MetadataError:
        return _statement_error(error, self.location)

    def close(self) -> None:
        self._engine.dispose()

    def _connect(self) -> Any:
        psycopg = _psycopg()
        failure = None
        try:
            connection = psycopg.connect(**self._connect_arguments)
            connection.execute(_settings())
            return connection
        except psycopg.Error as error:
            failure = _connection_error(str(error), self.location, self._secrets())
        # Raised out here, where the driver's error is not part of it: that holds the password.
        raise failure

    def _secrets(self) -> list[str]:
        names = ("password", "sslpassword")
        given = [self._connect_arguments.get(name) for name in names]
        return [secret for secret in (*given, os.environ.get("PGPASSWORD")) if secret]


def _psycopg() -> Any:
    try:
        return require("psycopg", "postgres")
    except ModuleNotFoundError as error:
        raise MetadataError(f"PostgreSQL needs psycopg. {error}") from error


def _settings() -> str:
    # A writer that stands still in a transaction, on a host that sleeps for example, holds up all
    # the others: its connection is ended.
    milliseconds = round(LOCK_TIMEOUT_SECONDS * 1000)
    return (
        f"SET lock_timeout = {milliseconds};"
        f"SET idle_in_transaction_session_timeout = {2 * milliseconds};"
        "SET client_encoding = 'UTF8'"
    )


def _defaults() -> dict[str, str]:
    """The defaults, without those for which the library has found a variable of its own."""
    variables = {"connect_timeout": "PGCONNECT_TIMEOUT", "application_name": "PGAPPNAME"}
    return {
        name: value
        for name, value in _DEFAULTS.items()
        if name not in variables or variables[name] not in os.environ
    }


def _connect_arguments(url: str) -> dict[str, Any]:
    psycopg = _psycopg()
    address = postgres_address(url)
    try:
        given = psycopg.conninfo.conninfo_to_dict(address)
    except psycopg.Error as error:
        # Of what the library complains about only the name of an option cannot be a secret.
        option = str(error).strip() if "query parameter" in str(error) else "it cannot be read"
    else:
        return {**_defaults(), **given, "autocommit": True}
    raise MetadataError(
        f"{hide_password(url)} is not a URL of a PostgreSQL database ({option}). It looks like "
        "postgresql://user:password@host:5432/database?sslmode=require, with special characters "
        "percent-encoded."
    )


def _connection_error(text: str, location: str, secrets: Iterable[str]) -> MetadataError:
    """The error for a connection that failed with this text, in which no secret may show."""
    cause = _one_line(text)
    for secret in secrets:
        cause = cause.replace(secret, "***")
    for pattern, advice in _REFUSALS:
        if re.search(pattern, cause):
            return MetadataError(
                f"The metadata store {location} cannot be opened: {cause}. {advice}"
            )
    return StoreUnavailableError(
        f"The metadata store {location} cannot be reached: {cause}. Check that the server runs and "
        "that its host and port are right."
    )


def _statement_error(error: DBAPIError, location: str) -> MetadataError:
    """The error for a statement that failed."""
    cause = _one_line(str(error.orig))
    if error.connection_invalidated:
        return StoreUnavailableError(
            f"The connection to the metadata store {location} was lost: {cause}. Try again when "
            "the server can be reached."
        )
    if "NUL (0x00)" in cause:
        return MetadataError(
            "A name or URI with a NUL character (\\x00) in it cannot be stored in PostgreSQL "
            f"({location}). Remove the character."
        )
    code = getattr(error.orig, "sqlstate", None)
    advice = _ADVICE.get(code or "", "")
    return MetadataError(f"The metadata store {location} failed: {cause}. {advice}".rstrip())


def _one_line(text: str) -> str:
    return " ".join(text.split()).rstrip(".")
