"""Files by path: the fifteen names of TFX's `fileio`, for local paths.

What is missing raises `NotFoundError`, which is Python's FileNotFoundError. A path with a scheme
(`gs://`, `s3://`, `hdfs://`) raises ValueError, from `exists` too, which cannot know.
"""

from __future__ import annotations

import builtins
import glob as _glob
import os
import shutil
import stat as _stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import IO, Any, AnyStr

from trainwright._paths import check_not_remote

PathType = bytes | str
NotFoundError = FileNotFoundError


@dataclass(frozen=True, kw_only=True)
class FileStatistics:
    """What `stat` found, under the names of TensorFlow's gfile and under those of `os.stat`."""

    length: int
    mtime_nsec: int
    is_directory: bool
    st_mode: int

    @property
    def st_size(self) -> int:
        return self.length

    @property
    def st_mtime(self) -> float:
        return self.mtime_nsec / 1e9


def open(path: PathType, mode: str = "r") -> IO[Any]:
    """Opens a file; text is UTF-8."""
    _check_local(path)
    return builtins.open(path, mode, encoding=None if "b" in mode else "utf-8")


def copy(src: PathType, dst: PathType, overwrite: bool = False) -> None:
    """Copies the content of a file. An existing destination is an OSError unless `overwrite`."""
    _check_local(src, dst)
    _check_free(dst, overwrite)
    shutil.copyfile(src, dst)


def exists(path: PathType) -> bool:
    """Whether there is a file or directory."""
    _check_local(path)
    return os.path.exists(path)


def glob(pattern: AnyStr) -> list[AnyStr]:
    """The paths that match a pattern, sorted; `*` stays within one directory."""
    _check_local(pattern)
    return sorted(_glob.glob(pattern))


def isdir(path: PathType) -> bool:
    """Whether the path is that of a directory."""
    _check_local(path)
    return os.path.isdir(path)


def listdir(path: AnyStr) -> list[AnyStr]:
    """The names in a directory, sorted."""
    _check_local(path)
    return sorted(os.listdir(path))


def makedirs(path: PathType) -> None:
    """Makes a directory and what is missing above it; one that exists is fine."""
    _check_local(path)
    os.makedirs(path, exist_ok=True)


def mkdir(path: PathType) -> None:
    """Makes one directory, whose parent must exist."""
    _check_local(path)
    os.mkdir(path)


def remove(path: PathType) -> None:
    """Removes a file."""
    _check_local(path)
    os.remove(path)


def rename(src: PathType, dst: PathType, overwrite: bool = False) -> None:
    """Renames a file or directory. An existing destination is an OSError unless `overwrite`."""
    _check_local(src, dst)
    _check_free(dst, overwrite)
    os.replace(src, dst)


def rmtree(path: PathType) -> None:
    """Removes a directory with all that is in it."""
    _check_local(path)
    shutil.rmtree(path)


def stat(path: PathType) -> FileStatistics:
    """The size, time of change and kind of a file or directory."""
    _check_local(path)
    found = os.stat(path)
    return FileStatistics(
        length=found.st_size,
        mtime_nsec=found.st_mtime_ns,
        is_directory=_stat.S_ISDIR(found.st_mode),
        st_mode=found.st_mode,
    )


def walk(
    top: AnyStr, topdown: bool = True, onerror: Callable[..., None] | None = None
) -> Iterator[tuple[AnyStr, list[AnyStr], list[AnyStr]]]:
    """Directory, subdirectories and files for every directory of a tree, as `os.walk`.

    Errors, also that `top` does not exist, go to `onerror` or are passed over.
    """
    # Not a generator: a remote path is refused when it is given, not when the walk begins.
    _check_local(top)
    return os.walk(top, topdown=topdown, onerror=onerror)


def _check_local(*paths: PathType) -> None:
    for path in paths:
        check_not_remote(path)


def _check_free(destination: PathType, overwrite: bool) -> None:
    if not overwrite and os.path.lexists(destination):
        raise FileExistsError(
            f"{destination!r} already exists. Remove it, or pass overwrite=True to replace it."
        )
