"""The directories that may be removed: those reserved for an output, and only while nobody else
needs what is in them.

What to remove is never taken from the uri of an artifact alone: its executor may have chosen the
uri, and a row of the store can be wrong. A directory counts as reserved if it is the very one that
`layout` gives to the execution that made the artifact. Below a root in an object store they are
prefixes, where no link can lead elsewhere.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterable, Iterator

from trainwright._paths import is_remote
from trainwright.orchestration.publishing import layout, places

# As many links as Linux follows in one path: more are a circle.
_MOST_LINKS = 40


class ReservedDirectories:
    """Finds reserved directories; remembers the directories that it has looked at."""

    def __init__(self) -> None:
        self._real: dict[tuple[str, ...], str | None] = {}

    def find(self, uri: str, *, root: str, node_id: str, key: str, execution_id: int) -> str | None:
        """The real path of the directory that was reserved for what lies at a uri.

        None if it lies elsewhere, or behind a link below the root: that is not ours to remove.
        """
        leaf = _leaf(uri, _parent(root, node_id, key), execution_id)
        return None if leaf is None else self.below(root, (node_id, key), leaf)

    def find_linked(
        self, uri: str, *, root: str, node_id: str, key: str, execution_id: int
    ) -> str | None:
        """The path of the reserved directory if it lies behind a link below the root."""
        parent = _parent(root, node_id, key)
        leaf = _leaf(uri, parent, execution_id)
        if leaf is None or self.below(root, (node_id, key), leaf) is not None:
            return None
        return parent + leaf

    def below(self, root: str, steps: tuple[str, ...], name: str) -> str | None:
        """The real path of a directory some steps below a root; None if a link is on the way."""
        place = (root, *steps)
        if place not in self._real:
            self._real[place] = _real_directory(root, steps)
        parent = self._real[place]
        directory = None if parent is None else f"{parent}{os.sep}{name}"
        return None if directory is None or os.path.islink(directory) else directory


def _parent(root: str, node_id: str, key: str) -> str:
    return f"{root.rstrip(os.sep)}{os.sep}{node_id}{os.sep}{key}{os.sep}"


def _leaf(uri: str, parent: str, execution_id: int) -> str | None:
    """The name of the directory in a parent that an execution was given, if the uri lies in it."""
    if not uri.startswith(parent):
        return None
    leaf, *inside = uri[len(parent) :].split(os.sep)
    if layout.numbered(leaf) != execution_id or ".." in inside:
        return None
    return leaf


def _real_directory(root: str, steps: tuple[str, ...]) -> str | None:
    is_possible = all(step and os.sep not in step for step in steps)
    if not root or not is_possible or "\0" in "".join((root, *steps)):
        return None
    if is_remote(root):
        return None if ".." in steps else places.absolute("/".join((root.rstrip("/"), *steps)))
    expected = os.path.join(os.path.realpath(root), *steps)
    return expected if os.path.realpath(os.path.join(root, *steps)) == expected else None


class OccupiedPaths:
    """The places of artifacts that must stay, by their real paths, and of the links to them.

    An artifact whose path goes through a link is lost with the link.
    """

    def __init__(self, uris: Iterable[str]) -> None:
        self._paths: set[str] = set()
        self._above: set[str] = set()
        self._is_within: dict[str, bool] = {}  # whether a directory lies in one of the places
        parents: dict[str, str] = {}  # artifacts lie side by side: few directories hold them
        for uri in uris:
            if "\0" in uri:
                continue  # no file can be there
            if is_remote(uri):
                self._add(uri)
            else:
                self._add(self._find_real_path(os.path.abspath(uri), parents))

    def _add(self, path: str) -> None:
        self._paths.add(path)
        for above in _ancestors(path):
            if above in self._above:
                break
            self._above.add(above)

    def _find_real_path(self, path: str, parents: dict[str, str]) -> str:
        if os.path.islink(path):
            return self._follow(path)
        parent, name = os.path.split(path)
        if parent not in parents:
            parents[parent] = self._follow(parent)
        return os.path.join(parents[parent], name)

    def _follow(self, path: str) -> str:
        """The real path, step by step; the links on the way are places themselves."""
        real, followed = os.sep, 0
        steps = path.split(os.sep)[::-1]
        while steps:
            step = steps.pop()
            if step == os.pardir:
                real = os.path.dirname(real)
            elif step and step != os.curdir:
                place = os.path.join(real, step)
                target = _read_link(place) if followed < _MOST_LINKS else None
                if target is None:
                    real = place
                    continue
                followed += 1
                self._add(place)
                real = os.sep if os.path.isabs(target) else real
                steps += target.split(os.sep)[::-1]
        return real

    def touch(self, directory: str) -> bool:
        """Whether a directory (a real path) is equal to, above or inside one of the places."""
        if directory in self._paths or directory in self._above:
            return True
        parent = os.path.dirname(directory)
        if parent not in self._is_within:
            self._is_within[parent] = any(
                above in self._paths for above in (parent, *_ancestors(parent))
            )
        return self._is_within[parent]


def remove_directory(directory: str) -> bool:
    """Removes a directory, given by its real path, as far as possible; says whether it is gone.

    One that a link leads to by now is left alone; a file that an executor has put in its place
    goes like it.
    """
    if is_remote(directory):
        return places.remove_objects(directory)
    if os.path.realpath(directory) == directory:
        shutil.rmtree(directory, ignore_errors=True)
        with contextlib.suppress(OSError):
            os.remove(directory)
    return not os.path.lexists(directory)


def _read_link(path: str) -> str | None:
    try:
        return os.readlink(path)
    except OSError:
        return None  # it is not a link


def _ancestors(path: str) -> Iterator[str]:
    parent = os.path.dirname(path)
    while parent != path:
        yield parent
        path, parent = parent, os.path.dirname(parent)
