"""Files by path: the fifteen names of TFX's `fileio`, for local paths.

What is missing raises `NotFoundError`, which is Python's FileNotFoundError. A path with a scheme
(`gs://`, `s3://`, `hdfs://`) raises ValueError, from `exists` too, which cannot know.
"""

from __future__ import annotations

import builtins
import glob as _glob
import os
import re
import shutil
import stat as _stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import IO, Any

PathType = bytes | str
NotFoundError = FileNotFoundError

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://")


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
    encoding = None if "b" in mode else "utf-8"
    return builtins.open(_local(path), mode, encoding=encoding)


def copy(src: PathType, dst: PathType, overwrite: bool = False) -> None:
    """Copies the content of a file. An existing destination is an OSError unless `overwrite`."""
    source, destination = _local(src), _local(dst)
    _check_free(destination, overwrite)
    shutil.copyfile(source, destination)


def exists(path: PathType) -> bool:
    """Whether there is a file or directory."""
    return os.path.exists(_local(path))


def glob(pattern: PathType) -> list[PathType]:
    """The paths that match a pattern, sorted; `*` stays within one directory."""
    found: list[PathType] = sorted(_glob.glob(_local(pattern)))  # type: ignore[type-var]
    return found


def isdir(path: PathType) -> bool:
    """Whether the path is that of a directory."""
    return os.path.isdir(_local(path))


def listdir(path: PathType) -> list[PathType]:
    """The names in a directory, sorted."""
    found: list[PathType] = sorted(os.listdir(_local(path)))  # type: ignore[type-var]
    return found


def makedirs(path: PathType) -> None:
    """Makes a directory and what is missing above it; one that exists is fine."""
    os.makedirs(_local(path), exist_ok=True)


def mkdir(path: PathType) -> None:
    """Makes one directory, whose parent must exist."""
    os.mkdir(_local(path))


def remove(path: PathType) -> None:
    """Removes a file."""
    os.remove(_local(path))


def rename(src: PathType, dst: PathType, overwrite: bool = False) -> None:
    """Renames a file or directory. An existing destination is an OSError unless `overwrite`."""
    source, destination = _local(src), _local(dst)
    _check_free(destination, overwrite)
    os.replace(source, destination)


def rmtree(path: PathType) -> None:
    """Removes a directory with all that is in it."""
    shutil.rmtree(_local(path))


def stat(path: PathType) -> FileStatistics:
    """The size, time of change and kind of a file or directory."""
    found = os.stat(_local(path))
    return FileStatistics(
        length=found.st_size,
        mtime_nsec=found.st_mtime_ns,
        is_directory=_stat.S_ISDIR(found.st_mode),
        st_mode=found.st_mode,
    )


def walk(
    top: PathType, topdown: bool = True, onerror: Callable[..., None] | None = None
) -> Iterator[tuple[PathType, list[PathType], list[PathType]]]:
    """Directory, subdirectories and files for every directory of a tree, as `os.walk`.

    Errors, also that `top` does not exist, go to `onerror` or are passed over.
    """
    # Not a generator: a remote path is refused when it is given, not when the walk begins.
    return os.walk(_local(top), topdown=topdown, onerror=onerror)  # type: ignore[return-value]


def _local(path: PathType | os.PathLike[str]) -> PathType:
    given: PathType = os.fspath(path)
    scheme = _SCHEME.match(os.fsdecode(given))
    if scheme:
        raise ValueError(
            f"{given!r} is a {scheme[1]} path, but only local paths are supported in this version. "
            "Copy the files to a local directory, or mount them, and give that path."
        )
    return given


def _check_free(destination: PathType, overwrite: bool) -> None:
    if not overwrite and os.path.lexists(destination):
        raise FileExistsError(
            f"{destination!r} already exists. Pass overwrite=True to replace it, or remove it first."
        )
