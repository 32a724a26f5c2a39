"""The last used store: what `trainwright runs` shows if no other is named."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

from trainwright.metadata.connection import (
    is_sqlite,
    sqlite_metadata_connection_config,
    sqlite_path,
    without_password,
)


def _path() -> Path:
    base = os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")
    return Path(base) / "trainwright" / "last_store"


def remember(url: str) -> None:
    """Notes the store of a run, without a password; a home that is read-only is no error."""
    if is_sqlite(url):
        noted = sqlite_metadata_connection_config(sqlite_path(url)).url
    else:
        noted = without_password(url)
    path = _path()
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent)
        with os.fdopen(handle, "w") as file:
            file.write(noted)
        os.replace(temporary, path)


def recall() -> str | None:
    """The URL of the last run's store, or None."""
    try:
        return _path().read_text().strip() or None
    except OSError:
        return None
