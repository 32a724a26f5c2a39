"""The last used store: what `trainwright runs` shows if no other is named."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

from trainwright.metadata.connection import sqlite_metadata_connection_config, sqlite_path


def _path() -> Path:
    base = os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")
    return Path(base) / "trainwright" / "last_store"


def remember(url: str) -> None:
    """Notes the store of a run if it is a file; a home that is read-only is no error."""
    if not url.startswith("sqlite:"):
        return
    absolute = sqlite_metadata_connection_config(sqlite_path(url)).url
    path = _path()
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent)
        with os.fdopen(handle, "w") as file:
            file.write(absolute)
        os.replace(temporary, path)


def recall() -> str | None:
    """The store of the last run, or None."""
    try:
        return _path().read_text().strip() or None
    except OSError:
        return None
