"""Backend: what differs between the databases under the SQL store."""

from __future__ import annotations

import abc
from contextlib import AbstractContextManager

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from trainwright.metadata.store import MetadataError


class Backend(abc.ABC):
    """The connections to one database. Several threads may use one at once.

    Attributes:
        location: The place of the store as messages name it, without a password.
        is_read_only: Whether nothing can be written; then `writing` raises MetadataError.
    """

    location: str
    is_read_only: bool = False

    @abc.abstractmethod
    def reading(self) -> AbstractContextManager[Connection]:
        """A transaction that sees one state of the store and waits for nobody."""

    @abc.abstractmethod
    def writing(self) -> AbstractContextManager[tuple[Connection, float]]:
        """A transaction for one writer at a time, and the time at which its turn came.

        It waits for its turn at its beginning. It sees what all writers before it have committed,
        and cannot fail for a lock in the middle. It is committed at the end of the block, and
        undone if an exception leaves the block.
        """

    @abc.abstractmethod
    def now(self, connection: Connection) -> float:
        """The clock of all who share the store, in seconds since the epoch."""

    @abc.abstractmethod
    def table_names(self, connection: Connection) -> set[str]:
        """The tables that are where the store's are or would be."""

    @abc.abstractmethod
    def explain(self, error: DBAPIError) -> MetadataError:
        """The error to raise: one sentence on what the database says and one on what to do."""

    @abc.abstractmethod
    def close(self) -> None:
        """Closes the connections."""

    @abc.abstractmethod
    def settle(self) -> None:
        """Makes lasting settings, once it is known that the database is a store or empty."""

    @abc.abstractmethod
    def spending_ids(self, connection: Connection) -> AbstractContextManager[None]:
        """What fails inside is undone, except that the ids it took are not given out again."""

    @abc.abstractmethod
    def skip_used_ids(self, connection: Connection) -> None:
        """The next ids that are given out are above all that rows were inserted with."""
