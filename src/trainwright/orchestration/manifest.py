"""The manifest of an artifact: which files it is made of, so that a damaged one is noticed.

A worker writes its outputs through to the disk and lists them before it says that it is done. The
list is published with the outputs; whoever wants to reuse them compares it with what is there.
"""

from __future__ import annotations

import contextlib
import os
import re
import stat
from collections.abc import Iterator
from typing import Any

from trainwright._paths import check_not_special, kind_of
from trainwright.orchestration import layout
from trainwright.orchestration.lookup_stop import check_stop, interruptible

# By path relative to the artifact ("" is the artifact itself, if it is a file): size in bytes,
# time of the last change in nanoseconds, CRC32C of the content.
Manifest = dict[str, list[int]]
# The same without the content: by relative path, size and time of the last change.
FileTimes = dict[str, tuple[int, int]]

# Python's and Jupyter's caches, what macOS and NFS leave in directories, and what TensorBoard's
# profiler writes beside a profile that is looked at.
_HARMLESS = re.compile(
    r"(^|/)(__pycache__/|\.ipynb_checkpoints/|\.DS_Store$|\.nfs[0-9a-f]+$|plugins/profile/)"
)


def write_through(uri: str) -> Manifest:
    """Makes sure that all files of an artifact are on disk; returns what they are.

    A link is listed as a link, also one that leads nowhere, as a removed checkpoint leaves it.

    Raises:
        ValueError: if there is something else than files and links, such as a named pipe.
    """
    for path in _files(uri):
        if not os.path.islink(path) or os.path.exists(path):
            check_not_special(path, "An output holds a special file:")
    manifest = {_relative(path, uri): _write_file_through(path) for path in _files(uri)}
    for directory in _directories(uri):
        _sync_directory(directory)
    return manifest


def find_damage(uri: str, manifest: Manifest | None, *, may_be_link: bool = False) -> str | None:
    """What is wrong with an artifact, in words; None if it is whole.

    Whole means: all files that are listed, unchanged, and no others, where they were listed. What a
    user imports may lie behind a link (`may_be_link`); a directory of ours never did. Without a
    manifest (the artifact lies where an executor chose) it only has to be there.
    """
    if not os.path.exists(uri):
        return f"{uri} is gone"
    if manifest is None:
        return None
    if not may_be_link and os.path.islink(layout.output_directory(uri)):
        return f"{layout.output_directory(uri)} has become a link"
    return _find_changed_file(uri, manifest) or _find_added_file(uri, manifest)


def _find_changed_file(uri: str, manifest: Manifest) -> str | None:
    for relative, (size, mtime_ns, checksum) in manifest.items():
        check_stop()
        path = os.path.join(uri, relative) if relative else uri
        try:
            status = os.lstat(path)
        except OSError:
            return f"{path} is gone"
        if not (stat.S_ISREG(status.st_mode) or stat.S_ISLNK(status.st_mode)):
            return f"{path} is {kind_of(path)}"
        if status.st_size != size:
            return f"{path} has {status.st_size} bytes instead of {size}"
        # A copy of the artifact has other times and the same content.
        if status.st_mtime_ns != mtime_ns and _checksum(path) != checksum:
            return f"{path} was changed"
    return None


def _find_added_file(uri: str, manifest: Manifest) -> str | None:
    """Whoever reads an artifact takes every file in it for data."""
    for path in _files(uri):
        check_stop()
        relative = _relative(path, uri)
        if relative in manifest or is_harmless(relative):
            continue
        if os.path.islink(path) and any(name.startswith(relative + os.sep) for name in manifest):
            return f"{path} has become a link"
        return f"{path} was added"
    return None


def is_harmless(relative: str) -> bool:
    """Whether a file is one of those that tools leave where people look at an artifact."""
    return _HARMLESS.search(relative) is not None


def list_files(uri: str) -> Manifest:
    """The manifest of what lies outside of a pipeline, which is not ours to write through.

    Raises:
        ValueError: if there is something else than files, or a link that leads nowhere.
    """
    for path in _files(uri):
        check_stop()
        check_not_special(path)
    return {_relative(path, uri): _describe_file(path) for path in _files(uri)}


def list_times(uri: str) -> FileTimes | None:
    """Size and time of each file of an artifact; None if there is nothing at the uri."""
    if not os.path.exists(uri):
        return None
    times = {}
    for path in _files(uri):
        relative = _relative(path, uri)
        with contextlib.suppress(OSError):  # it goes in this moment
            status = os.lstat(path)
            if not is_harmless(relative):
                times[relative] = (status.st_size, status.st_mtime_ns)
    return times


def size_of(uri: str) -> int:
    """How many bytes an artifact takes."""
    return sum(os.lstat(path).st_size for path in _files(uri))


def _relative(path: str, uri: str) -> str:
    return path[len(os.path.join(uri, "")) :] if path != uri else ""


def _write_file_through(path: str) -> list[int]:
    if stat.S_ISREG(os.lstat(path).st_mode):
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    return _describe_file(path)


def _describe_file(path: str) -> list[int]:
    status = os.lstat(path)
    return [status.st_size, status.st_mtime_ns, _checksum(path)]


def _sync_directory(path: str) -> None:
    """Makes sure that the names in a directory are on disk."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _files(uri: str) -> Iterator[str]:
    """All that lies below a directory and is not a directory itself, or the one file."""
    if not os.path.isdir(uri):
        if os.path.exists(uri):
            yield uri
        return
    for directory, directories, names in os.walk(uri):
        directories.sort()
        links = [name for name in directories if os.path.islink(os.path.join(directory, name))]
        for name in sorted(names + links):
            yield os.path.join(directory, name)


def _directories(uri: str) -> Iterator[str]:
    """The directories that name the files: from those within to the one that holds the artifact."""
    if os.path.isdir(uri):
        for directory, _, _ in os.walk(uri, topdown=False):
            yield directory
    else:
        yield os.path.dirname(uri)
    yield os.path.dirname(uri if os.path.isdir(uri) else os.path.dirname(uri))


def _checksum(path: str) -> int:
    # Neither declaring a pipeline nor finding that all is cached needs it.
    import google_crc32c

    if os.path.islink(path):
        return int(google_crc32c.value(os.fsencode(os.readlink(path))))
    checksum: Any = 0
    with interruptible(), open(path, "rb") as file:
        while chunk := file.read(1 << 20):
            check_stop()
            checksum = google_crc32c.extend(checksum, chunk)
    return int(checksum)
