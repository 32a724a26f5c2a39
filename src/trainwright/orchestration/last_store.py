"""The stores of the last runs, of this user and of each directory: what commands look into if no
store is named."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import sys
import tempfile
from pathlib import Path

from trainwright.metadata.connection import (
    is_sqlite,
    sqlite_metadata_connection_config,
    sqlite_path,
    without_password,
)
from trainwright.orchestration.planning.first_party import is_first_party

# Up to this many directories are remembered; those without a run for the longest time go first.
_MOST_DIRECTORIES = 500


def remember(url: str) -> None:
    """Notes the store of a run, without a password; a home that is read-only is not an error.

    It is noted for the user, for the working directory and for that of the pipeline's script.
    """
    if is_sqlite(url):
        noted = sqlite_metadata_connection_config(sqlite_path(url)).url
    else:
        noted = without_password(url)
    with contextlib.suppress(OSError):
        _write(_state_home() / "last_store", noted)
        for directory in _project_directories():
            content = json.dumps({"directory": directory, "url": noted})
            _write(_path_for(directory), content)
        _forget_oldest()


def recall() -> str | None:
    """The URL of the last run's store, or None."""
    try:
        return (_state_home() / "last_store").read_text().strip() or None
    except OSError:
        return None


def recall_for(directory: str) -> str | None:
    """The URL of the store of the last run in a directory, or None."""
    try:
        noted = json.loads(_path_for(directory).read_text())
        url = noted["url"] if noted["directory"] == directory else None
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return url if isinstance(url, str) else None


def store_for_root(root: str) -> str:
    """The path of the metadata store of pipelines with a root in an object store, which cannot hold
    one: a file of this user on this machine."""
    digest = hashlib.sha256(root.encode()).hexdigest()[:16]
    name = re.sub(r"[^A-Za-z0-9_-]+", "-", root.rpartition("/")[2]) or "root"
    return str(_state_home() / "roots" / f"{name}-{digest}" / "metadata.db")


def _state_home() -> Path:
    base = os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")
    return Path(base) / "trainwright"


def _path_for(directory: str) -> Path:
    name = hashlib.sha256(os.fsencode(directory)).hexdigest()[:32]
    return _state_home() / "stores" / name


def _project_directories() -> set[str]:
    directories = {os.getcwd()}
    script = os.path.realpath(sys.argv[0]) if sys.argv else ""
    if script.endswith(".py") and os.path.isfile(script) and is_first_party(script):
        directories.add(os.path.dirname(script))
    return directories


def _write(path: Path, content: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent)
    with os.fdopen(handle, "w") as file:
        file.write(content)
    os.replace(temporary, path)


def _forget_oldest() -> None:
    paths = list((_state_home() / "stores").iterdir())
    if len(paths) > _MOST_DIRECTORIES:
        paths.sort(key=lambda path: path.stat().st_mtime)
        for path in paths[: len(paths) - _MOST_DIRECTORIES]:
            path.unlink(missing_ok=True)
