"""`Metadata`: a handle to a metadata store, as TFX's programs open and ask it."""

from __future__ import annotations

import copy
from types import TracebackType
from typing import Any

from trainwright.compat.ml_metadata import errors
from trainwright.compat.ml_metadata.metadata_store import MetadataStore
from trainwright.compat.mlmd.run_records import (
    EXECUTION_STATE_CACHED as EXECUTION_STATE_CACHED,
)
from trainwright.compat.mlmd.run_records import (
    EXECUTION_STATE_COMPLETE as EXECUTION_STATE_COMPLETE,
)
from trainwright.compat.mlmd.run_records import EXECUTION_STATE_NEW as EXECUTION_STATE_NEW
from trainwright.compat.mlmd.run_records import FINAL_EXECUTION_STATES as FINAL_EXECUTION_STATES
from trainwright.compat.mlmd.run_records import (
    MAX_EXECUTIONS_FOR_CACHE as MAX_EXECUTIONS_FOR_CACHE,
)
from trainwright.compat.mlmd.run_records import RunRecords


class Metadata(RunRecords):
    """A metadata store that is open within a `with`.

    Args:
        connection_config: What `sqlite_metadata_connection_config(path)` returns, or another
            `metadata_store_pb2.ConnectionConfig`.

    Example:
        >>> config = sqlite_metadata_connection_config("metadata.db")
        >>> with Metadata(config) as metadata:
        ...     node = metadata.store.get_context_by_type_and_name("node", "penguin.Trainer")
        ...     executions = metadata.store.get_executions_by_context(node.id)
    """

    def __init__(self, connection_config: Any) -> None:
        self._connection_config = connection_config
        self._store: MetadataStore | None = None
        self._users = 0

    def __enter__(self) -> Metadata:
        # Within another `with` it is open already; records in memory must not be lost, either.
        if self._store is None:
            try:
                self._store = MetadataStore(self._connection_config)
            except (RuntimeError, errors.StatusError) as error:
                raise RuntimeError(
                    f"Failed to establish connection to Metadata storage with error: {error}"
                ) from error
        self._users += 1
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None = None,
        exc_value: BaseException | None = None,
        exc_tb: TracebackType | None = None,
    ) -> None:
        self._users -= 1
        if self._users == 0:
            self._store = None

    @property
    def connection_config(self) -> Any:
        """A copy of what it was made with."""
        return copy.deepcopy(self._connection_config)

    @property
    def store(self) -> MetadataStore:
        """The store, to ask and to write to; RuntimeError outside of a `with`."""
        if self._store is None:
            raise RuntimeError("Metadata object is not in enter state")
        return self._store
