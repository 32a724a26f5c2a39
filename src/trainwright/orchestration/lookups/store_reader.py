"""StoreReader: the metadata store as users' strategies and operators see it."""

from __future__ import annotations

import functools
from typing import Any

from trainwright.metadata.connection import ConnectionConfig, sqlite_metadata_connection_config
from trainwright.metadata.store import MetadataStore

_QUESTIONS = (
    "get_artifacts",
    "get_attachments",
    "get_context",
    "get_contexts",
    "get_events",
    "get_execution",
    "get_executions",
    "now",
)
# ML Metadata's take a ListOptions, also without its name; ours take no such argument.
_LISTS = ("get_artifacts", "get_contexts", "get_executions")


class StoreReader:
    """The questions of a `MetadataStore`, and those of ML Metadata's, without what writes.

    Where both have a name, arguments that only ML Metadata's method has mean that one:
    `get_artifacts(ListOptions(...))`.
    """

    def __init__(self, store: MetadataStore) -> None:
        self._store = store

    @functools.cached_property
    def ml_metadata(self) -> Any:
        """The same store through ML Metadata's interface, opened when it is first asked."""
        return _MlMetadataReader(self._store.location)

    def __getattr__(self, name: str) -> Any:
        if name in _QUESTIONS:
            return self._either(name)
        if name.startswith("get_"):
            return getattr(self.ml_metadata, name)
        raise AttributeError(
            f"The store that a strategy gets has no {name!r}; it can be asked "
            f"{', '.join(_QUESTIONS)}, as trainwright.metadata.store describes them, and what ML "
            "Metadata's store has: get_artifacts_by_id and so on."
        )

    def _either(self, name: str) -> Any:
        def ask(*args: Any, **kwargs: Any) -> Any:
            is_theirs = "list_options" in kwargs or "extra_options" in kwargs
            if is_theirs or (args and name in _LISTS):
                return getattr(self.ml_metadata, name)(*args, **kwargs)
            return getattr(self._store, name)(*args, **kwargs)

        return ask


class _MlMetadataReader:
    """ML Metadata's questions. The store behind it is opened at the first one."""

    def __init__(self, location: str) -> None:
        self._location = location

    @functools.cached_property
    def _opened(self) -> Any:
        from trainwright.compat.ml_metadata.metadata_store.metadata_store import (
            MetadataStore as MlMetadataStore,
        )

        is_url = "://" in self._location
        return MlMetadataStore(
            ConnectionConfig(url=self._location)
            if is_url
            else sqlite_metadata_connection_config(self._location)
        )

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("get_"):
            raise AttributeError(f"The store can only be asked (get_...), and has no {name!r}.")
        return getattr(self._opened, name)
