"""Sizes of artifacts in words, also of those in a store that does not answer."""

from __future__ import annotations

from trainwright._paths import is_remote
from trainwright.cli.phrases import describe_size
from trainwright.history.run_view import artifact_size
from trainwright.metadata.records import ArtifactRecord
from trainwright.storage.errors import StorageError, StoragePermissionError
from trainwright.storage.uris import split

# Each is waited for once: the rest of the answer is in the metadata store.
_silent_stores: dict[str, str] = {}


def describe_artifact_size(artifact: ArtifactRecord) -> str:
    """How large an artifact is, or why that is not known."""
    store = split(artifact.uri).root if is_remote(artifact.uri) else ""
    if store in _silent_stores:
        return _silent_stores[store]
    try:
        return describe_size(artifact_size(artifact)) or "not on this disk"
    except StorageError as error:
        denied = isinstance(error, StoragePermissionError)
        why = "denies access" if denied else "does not answer"
        _silent_stores[store] = f"of unknown size: the store {why}"
        return _silent_stores[store]
