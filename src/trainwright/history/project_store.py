"""The store of the directory that a command is called in, if the project names none."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

_FILE_NAME = "metadata.db"
# Where a pipeline root is usually seen from a project: `root`, `output/root`.
_DEPTH = 2
# A home directory may be anything; looking must not take long.
_MOST_DIRECTORIES = 2000
_LOCK_SECONDS = 1.0


def find_project_store(directory: str) -> tuple[str, str] | None:
    """The URL of the store, and who says so: a run in the directory or in one above it, or else a
    store that lies below the directory."""
    from trainwright.metadata.connection import sqlite_metadata_connection_config
    from trainwright.orchestration import last_store

    for candidate in _this_and_above(directory):
        url = last_store.recall_for(candidate)
        if url is not None and _may_be_there(url):
            return url, f"the last run in {candidate}"
    found = _newest_below(directory)
    if found is None:
        return None
    return sqlite_metadata_connection_config(found).url, "its place in the working directory"


def _this_and_above(directory: str) -> Iterator[str]:
    """The directory and those above it, up to the user's home, where all projects are."""
    path = Path(directory)
    yield directory
    for parent in path.parents:
        if parent == Path.home() or parent == Path(parent.anchor):
            return
        yield str(parent)


def _may_be_there(url: str) -> bool:
    from trainwright.metadata.connection import is_sqlite, sqlite_path
    from trainwright.metadata.store import MetadataError

    try:
        return not is_sqlite(url) or os.path.exists(sqlite_path(url))
    except MetadataError:
        return False


def _newest_below(directory: str) -> str | None:
    paths = (
        os.path.join(found, _FILE_NAME)
        for found in islice(_directories(directory, _DEPTH), _MOST_DIRECTORIES)
    )
    stores = [path for path in paths if os.path.isfile(path) and _is_store(path)]
    return max(stores, key=os.path.getmtime, default=None)


def _directories(directory: str, depth: int) -> Iterator[str]:
    """A directory and those below it, level by level; neither hidden ones nor links."""
    yield directory
    level = [directory]
    for _ in range(depth):
        below = []
        for parent in level:
            with contextlib.suppress(OSError), os.scandir(parent) as entries:
                for entry in entries:
                    if not entry.name.startswith(".") and entry.is_dir(follow_symlinks=False):
                        below.append(entry.path)
                        yield entry.path
        level = below


def _is_store(path: str) -> bool:
    """Whether a file is a metadata store of ours: other programs have files of that name."""
    from trainwright.metadata.sqlite_reading import ReadOnlyFile

    try:
        with (
            contextlib.closing(ReadOnlyFile(path, _LOCK_SECONDS)) as file,
            contextlib.closing(file.connect()) as connection,
        ):
            connection.execute("SELECT version FROM trainwright_schema_version")
    except sqlite3.Error:
        return False
    return True
