"""Places below a pipeline root: directories of a disk, or prefixes of an object store.

What the code around executions asks of a place, whichever it is. A prefix has no links, no
permissions and no empty directories, so all that guards against these concerns disks alone.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

from trainwright._paths import is_remote
from trainwright.storage import objects, uris
from trainwright.storage.errors import StorageError


def exists(place: str) -> bool:
    """Whether anything is there: a file, a directory, a link, an object or some below it.

    >>> exists("/nowhere")
    False
    """
    return objects.exists(place) if is_remote(place) else os.path.lexists(place)


def names_in(place: str) -> list[str]:
    """The names of what lies directly in a place, sorted; none if it cannot be read."""
    try:
        if is_remote(place):
            directories, files = objects.list_names(place)
            return sorted(directories + files)
        return sorted(os.listdir(place))
    except (OSError, ValueError):  # a name with NUL is not a directory's
        return []


def has_files(place: str) -> bool:
    """Whether a file is in a place, or in a directory in there."""
    if is_remote(place):
        return objects.exists(place)
    return any(files for _, _, files in os.walk(place))


def real_path(place: str) -> str:
    """The path without links; that of an object is as it is."""
    return place if is_remote(place) else os.path.realpath(place)


def absolute(path: str) -> str:
    """A path that does not depend on the working directory; a URI without a slash at its end."""
    return path.rstrip("/") if is_remote(path) else os.path.abspath(path)


def read_small(place: str, limit: int) -> bytes | None:
    """The content of an object of at most `limit` bytes; None if there is none, if it is larger and
    so not ours, or if it cannot be read."""
    try:
        return objects.read_small(place, limit)
    except StorageError:
        return None


def remove_objects(place: str) -> bool:
    """Removes an object, or all below a prefix; says whether it is gone."""
    with contextlib.suppress(StorageError):
        objects.remove_tree(place)
        if objects.exists(place):
            objects.remove(place)
        return not objects.exists(place)
    return False


def files_below(place: str) -> Iterator[tuple[str, objects.ObjectFacts]]:
    """The objects of an artifact by relative name; one that is itself an object has the name ""."""
    found = objects.list_tree(place)
    if not found:
        single = objects.stat(place)
        found = [single] if single is not None else []
    for facts in found:
        yield ("" if facts.uri == place else uris.relative(facts.uri, place)), facts
