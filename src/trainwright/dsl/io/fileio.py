"""Files by path: the names of TFX's `fileio`, for local paths, object stores and others.

What is missing raises `NotFoundError`, which is Python's FileNotFoundError. A path with a scheme
goes to the filesystem that is registered for it: `s3://`, `gs://`, `az://` and `memory://` have one
(`object_filesystem.py`). Without one, as for `hdfs://`, it is a ValueError, from `exists` too,
which cannot know.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import IO, Any, AnyStr

from trainwright._paths import check_not_remote
from trainwright.dsl.io.filesystem import FileStatistics as FileStatistics
from trainwright.dsl.io.filesystem import Filesystem, LocalFilesystem
from trainwright.dsl.io.filesystem import NotFoundError as NotFoundError
from trainwright.dsl.io.filesystem import PathType as PathType
from trainwright.dsl.io.filesystem_registry import DEFAULT_FILESYSTEM_REGISTRY
from trainwright.storage.uris import check_slashes


def open(path: PathType, mode: str = "r") -> IO[Any]:
    """Opens a file; text is UTF-8."""
    opened: IO[Any] = _filesystem(path).open(path, mode=mode)
    return opened


def copy(src: PathType, dst: PathType, overwrite: bool = False) -> None:
    """Copies the content of a file. An existing destination is an OSError unless `overwrite`."""
    source, target = _filesystem(src), _filesystem(dst)
    if source is target:
        source.copy(src, dst, overwrite=overwrite)
        return
    if not overwrite and target.exists(dst):
        raise FileExistsError(
            f"{dst!r} already exists. Remove it, or pass overwrite=True to replace it."
        )
    with source.open(src, mode="rb") as reader, target.open(dst, mode="wb") as writer:
        while chunk := reader.read(1 << 20):
            writer.write(chunk)


def exists(path: PathType) -> bool:
    """Whether there is a file or directory."""
    return _filesystem(path).exists(path)


def glob(pattern: AnyStr) -> list[AnyStr]:
    """The paths that match a pattern, sorted; `*` stays within one directory."""
    return _filesystem(pattern).glob(pattern)


def isdir(path: PathType) -> bool:
    """Whether the path is that of a directory."""
    return _filesystem(path).isdir(path)


def listdir(path: AnyStr) -> list[AnyStr]:
    """The names in a directory, sorted."""
    return _filesystem(path).listdir(path)


def makedirs(path: PathType) -> None:
    """Makes a directory and what is missing above it; one that exists is fine."""
    _filesystem(path).makedirs(path)


def mkdir(path: PathType) -> None:
    """Makes one directory, whose parent must exist."""
    _filesystem(path).mkdir(path)


def remove(path: PathType) -> None:
    """Removes a file."""
    _filesystem(path).remove(path)


def rename(src: PathType, dst: PathType, overwrite: bool = False) -> None:
    """Renames a file or directory. An existing destination is an OSError unless `overwrite`."""
    source = _filesystem(src)
    if source is not _filesystem(dst):
        raise ValueError(
            f"Cannot rename {src!r} to {dst!r}, which is on another filesystem. Use copy, and "
            "remove the source after it."
        )
    source.rename(src, dst, overwrite=overwrite)


def rmtree(path: PathType) -> None:
    """Removes a directory with all that is in it."""
    _filesystem(path).rmtree(path)


def stat(path: PathType) -> FileStatistics:
    """The size, time of change and kind of a file or directory."""
    found: FileStatistics = _filesystem(path).stat(path)
    return found


def walk(
    top: AnyStr, topdown: bool = True, onerror: Callable[..., None] | None = None
) -> Iterator[tuple[AnyStr, list[AnyStr], list[AnyStr]]]:
    """Directory, subdirectories and files for every directory of a tree, as `os.walk`.

    Errors, also that `top` does not exist, go to `onerror` or are passed over.
    """
    # Not a generator: a remote path is refused when it is given, not when the walk begins.
    return iter(_filesystem(top).walk(top, topdown=topdown, onerror=onerror))


def get_inline_filename(data: str, compressed: bool = False) -> str:
    """Writes text to a new temporary file, gzipped if asked, and returns its path.

    The file is the caller's, who removes it.
    """
    return _filesystem("").get_inline_filename(data, compressed)


def _filesystem(path: PathType) -> type[Filesystem]:
    try:
        found = DEFAULT_FILESYSTEM_REGISTRY.get_filesystem_for_path(os.fsdecode(path))
    except ValueError as unavailable:
        try:
            check_not_remote(path)
        except ValueError as refusal:
            raise ValueError(f"{refusal} {unavailable}") from None
        raise
    if found is LocalFilesystem:
        check_slashes(os.fsdecode(path), "The path")
        check_not_remote(path)  # "gs:/bucket": os.path and pathlib take a slash away
    return found
