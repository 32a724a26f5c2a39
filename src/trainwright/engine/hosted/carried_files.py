"""Files that a pass needs and that only the caller's disk has, as bytes and back."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from trainwright.engine.packing import pack, unpack
from trainwright.storage.held_directories import HOLD, hold, remove_left
from trainwright.storage.private_directories import make_private_directory

# What nobody has used for this long is removed when something else is brought.
_SECONDS_KEPT = 24 * 3600


@dataclass(frozen=True)
class CarriedFiles:
    """A file or a directory on its way, known by what is in it.

    Args:
        path: Where it is on the caller's disk.
        digest: Of name and content: the same files are brought to a machine once.
        data: The content.
    """

    path: str
    digest: str
    data: bytes

    @classmethod
    def read(cls, path: str) -> CarriedFiles:
        """Reads all of it into memory.

        Example: `CarriedFiles.read("Trainer/model/6/Format-Serving")`
        """
        root = os.path.normpath(path)
        names, blobs = [], []
        for name in _names_below(root):
            names.append(name)
            if name.endswith("/"):
                blobs.append(b"")
                continue
            with open(os.path.join(root, name) if name else root, "rb") as file:
                blobs.append(file.read())
        data = pack([os.path.basename(root), names], blobs)
        return cls(path, hashlib.sha256(data).hexdigest(), data)


def _names_below(root: str) -> Iterator[str]:
    """The files of a directory, and its directories with a slash; "" for a file."""
    if not os.path.isdir(root):
        yield ""
        return
    for parent, directories, names in os.walk(root):
        directories.sort()
        prefix = "" if parent == root else os.path.relpath(parent, root) + "/"
        if prefix:
            yield prefix
        yield from (prefix + name for name in sorted(names))


def place(digest: str, fetch: Callable[[str], bytes]) -> str:
    """Where carried files are on this machine; they are fetched if they are not here yet.

    Args:
        digest: Which.
        fetch: Gives the data of a digest.
    """
    above = home()
    directory = os.path.join(above, digest)
    while not _hold(directory):
        _bring(digest, fetch, above, directory)
    with contextlib.suppress(OSError):
        os.utime(directory)
    [name] = [name for name in os.listdir(directory) if name != HOLD]
    return os.path.join(directory, name)


# The directories that this process may still read from.
_held: dict[str, int] = {}
_lock = threading.Lock()


def _hold(directory: str) -> bool:
    """Holds a directory until this process ends; False if it is not there."""
    with _lock:
        if directory in _held and os.path.isdir(directory):
            return True
        try:
            _held[directory] = hold(directory)
        except FileNotFoundError:
            return False
        return True


def _bring(digest: str, fetch: Callable[[str], bytes], above: str, directory: str) -> None:
    data = fetch(digest)
    if hashlib.sha256(data).hexdigest() != digest:
        raise OSError(f"What came for {digest} is not what was sent: it was changed on its way.")
    _remove_unused(above)
    new = tempfile.mkdtemp(dir=above, prefix="new-")
    lock = hold(new)
    try:
        _write(data, new)
        # Of two processes that bring the same, one finds its place taken by an equal.
        with contextlib.suppress(OSError):
            os.rename(new, directory)
    finally:
        shutil.rmtree(new, ignore_errors=True)
        os.close(lock)


def _write(data: bytes, directory: str) -> None:
    (base, names), blobs = unpack(data)
    root = os.path.join(directory, base)
    paths = [os.path.join(root, name) if name else root for name in names]
    for path in (root, *paths):
        if os.path.commonpath([directory, os.path.abspath(path)]) != directory:
            raise OSError(f"{path!r} leads out of the directory that it was packed from.")
    if names[:1] != [""]:
        os.mkdir(root)
    for path, blob in zip(paths, blobs, strict=True):
        if path.endswith("/"):
            os.mkdir(path)
            continue
        with open(path, "wb") as file:
            file.write(blob)


def home() -> str:
    """A directory of this user alone, in which what nobody uses for a day is removed."""
    directory = os.path.join(tempfile.gettempdir(), f"trainwright-files-{os.getuid()}")
    return make_private_directory(directory, "The directory of files of passes")


def _remove_unused(directory: str) -> None:
    before = time.time() - _SECONDS_KEPT
    for entry in os.scandir(directory):
        with contextlib.suppress(OSError):
            if entry.stat(follow_symlinks=False).st_mtime >= before:
                continue
            if os.path.exists(os.path.join(entry.path, HOLD)):
                remove_left(entry.path)
            else:
                shutil.rmtree(entry.path, ignore_errors=True)
