"""What a user's strategy sees of the metadata store."""

from __future__ import annotations

from typing import Any

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


class StoreReader:
    """The questions of a `MetadataStore`, without what writes."""

    def __init__(self, store: MetadataStore) -> None:
        self._store = store

    def __getattr__(self, name: str) -> Any:
        if name in _QUESTIONS:
            return getattr(self._store, name)
        raise AttributeError(
            f"The store that a strategy gets has no {name!r}; it can be asked "
            f"{', '.join(_QUESTIONS)}, as trainwright.metadata.store describes them."
        )
