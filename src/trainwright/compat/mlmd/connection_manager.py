"""Handles to several metadata stores, one for each."""

from __future__ import annotations

import contextlib
from types import TracebackType

from trainwright.compat.mlmd.connections import (
    ConnectionConfigType,
    sqlite_metadata_connection_config,
)
from trainwright.compat.mlmd.metadata import Metadata
from trainwright.proto.mlmd.metadata_store_pb2 import ConnectionConfig, MetadataStoreClientConfig


class MLMDConnectionManager:
    """Opens each store that it is asked for once, and closes all of them when it is left.

    It may be entered several times; the outermost `with` counts.

    Args:
        primary_connection_config: The store that is meant where none is named.

    Example:
        >>> with MLMDConnectionManager.fake() as manager:
        ...     manager.primary_mlmd_handle.store.get_artifacts()
        []
    """

    def __init__(self, primary_connection_config: ConnectionConfigType) -> None:
        self._primary_config = primary_connection_config
        self._handles: dict[tuple[object, ...], Metadata] = {}
        self._opened = contextlib.ExitStack()
        self._depth = 0

    @classmethod
    def fake(cls) -> MLMDConnectionManager:
        """A manager of a store in memory."""
        config = ConnectionConfig()
        config.fake_database.SetInParent()
        return cls(primary_connection_config=config)

    @classmethod
    def sqlite(cls, path: str) -> MLMDConnectionManager:
        """A manager of the store in a file."""
        return cls(primary_connection_config=sqlite_metadata_connection_config(path))

    def __enter__(self) -> MLMDConnectionManager:
        self._depth += 1
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None = None,
        exc_value: BaseException | None = None,
        exc_tb: TracebackType | None = None,
    ) -> None:
        self._depth -= 1
        if self._depth == 0:
            self._opened.close()
            self._handles.clear()

    @property
    def primary_mlmd_handle(self) -> Metadata:
        return self.get_mlmd_handle()

    def get_mlmd_handle(self, connection_config: ConnectionConfigType | None = None) -> Metadata:
        """The handle to a store, opened; the same one for the same store."""
        if self._depth == 0:
            raise RuntimeError(
                "MLMDConnectionManager is not entered yet. Please use with statement first before "
                "calling get_mlmd_handle()."
            )
        config = self._primary_config if connection_config is None else connection_config
        identity = _identity(config)
        if identity not in self._handles:
            self._handles[identity] = self._opened.enter_context(Metadata(config))
        return self._handles[identity]


def _identity(config: object) -> tuple[object, ...]:
    """What tells a store from others."""
    if isinstance(config, MetadataStoreClientConfig):
        return ("grpc_client", config.host, config.port)
    if isinstance(config, ConnectionConfig):
        kind = config.WhichOneof("config")
        if kind == "fake_database":
            return (kind,)
        if kind == "mysql":
            return (kind, config.mysql.host, config.mysql.port, config.mysql.database)
        if kind == "sqlite":
            return (kind, config.sqlite.filename_uri, config.sqlite.connection_mode)
    raise NotImplementedError(f"Unknown connection config {config}.")


HandleLike = Metadata | MLMDConnectionManager


def get_handle(handle_like: HandleLike) -> Metadata:
    """The handle itself, or the primary one of a manager."""
    if isinstance(handle_like, MLMDConnectionManager):
        return handle_like.get_mlmd_handle()
    return handle_like
