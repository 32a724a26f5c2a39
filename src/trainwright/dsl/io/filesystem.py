"""Filesystem: the interface under `fileio`, and the local one.

A filesystem of your own is a subclass of `Filesystem`, registered for its schemes:

    class BucketFilesystem(Filesystem):
        SUPPORTED_SCHEMES = ["bucket://"]

        @staticmethod
        def open(name, mode="r"):
            ...

    DEFAULT_FILESYSTEM_REGISTRY.register(BucketFilesystem, priority=0)
"""

from __future__ import annotations

import builtins
import glob as _glob
import gzip
import os
import shutil
import stat as _stat
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NoReturn

PathType = bytes | str
NotFoundError = FileNotFoundError


def _lacks(operation: str) -> NoReturn:
    raise NotImplementedError(f"This filesystem has no {operation}(): its class must define it.")


class Filesystem:
    """The operations of a filesystem; each class defines those that its users need.

    All are static: a filesystem is a class that is registered, never made an instance of. What is
    missing raises `NotFoundError`.
    """

    # What paths of this filesystem begin with, such as "gs://"; "" for paths without a scheme.
    SUPPORTED_SCHEMES: ClassVar[Sequence[str]] = []

    @staticmethod
    def open(name: PathType, mode: str = "r") -> Any:
        _lacks("open")

    @staticmethod
    def copy(src: PathType, dst: PathType, overwrite: bool = False) -> None:
        _lacks("copy")

    @staticmethod
    def exists(path: PathType) -> bool:
        _lacks("exists")

    @staticmethod
    def glob(pattern: PathType) -> list[Any]:
        _lacks("glob")

    @staticmethod
    def isdir(path: PathType) -> bool:
        _lacks("isdir")

    @staticmethod
    def listdir(path: PathType) -> list[Any]:
        _lacks("listdir")

    @staticmethod
    def makedirs(path: PathType) -> None:
        _lacks("makedirs")

    @staticmethod
    def mkdir(path: PathType) -> None:
        _lacks("mkdir")

    @staticmethod
    def remove(path: PathType) -> None:
        _lacks("remove")

    @staticmethod
    def rename(src: PathType, dst: PathType, overwrite: bool = False) -> None:
        _lacks("rename")

    @staticmethod
    def rmtree(path: PathType) -> None:
        _lacks("rmtree")

    @staticmethod
    def stat(path: PathType) -> Any:
        _lacks("stat")

    @staticmethod
    def walk(
        top: PathType, topdown: bool = True, onerror: Callable[..., None] | None = None
    ) -> Iterable[Any]:
        _lacks("walk")

    @staticmethod
    def get_inline_filename(data: str, compressed: bool = False) -> str:
        _lacks("get_inline_filename")


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


class LocalFilesystem(Filesystem):
    """Files of this machine. Text is UTF-8, names come sorted."""

    SUPPORTED_SCHEMES = ("",)

    @staticmethod
    def open(name: PathType, mode: str = "r") -> Any:
        encoding = None if "b" in mode else "utf-8"
        file: Any = builtins.open(name, mode, encoding=encoding)  # noqa: SIM115
        # TensorFlow's files, which TFX opens, have it, and programs ask for it.
        file.size = lambda: os.path.getsize(name)
        return file

    @staticmethod
    def copy(src: PathType, dst: PathType, overwrite: bool = False) -> None:
        _check_free(dst, overwrite)
        shutil.copyfile(src, dst)

    @staticmethod
    def exists(path: PathType) -> bool:
        return os.path.exists(path)

    @staticmethod
    def glob(pattern: PathType) -> list[Any]:
        return sorted(_glob.glob(pattern))  # type: ignore[type-var]

    @staticmethod
    def isdir(path: PathType) -> bool:
        return os.path.isdir(path)

    @staticmethod
    def listdir(path: PathType) -> list[Any]:
        return sorted(os.listdir(path))

    @staticmethod
    def makedirs(path: PathType) -> None:
        os.makedirs(path, exist_ok=True)

    @staticmethod
    def mkdir(path: PathType) -> None:
        os.mkdir(path)

    @staticmethod
    def remove(path: PathType) -> None:
        os.remove(path)

    @staticmethod
    def rename(src: PathType, dst: PathType, overwrite: bool = False) -> None:
        _check_free(dst, overwrite)
        os.replace(src, dst)

    @staticmethod
    def rmtree(path: PathType) -> None:
        shutil.rmtree(path)

    @staticmethod
    def stat(path: PathType) -> FileStatistics:
        found = os.stat(path)
        return FileStatistics(
            length=found.st_size,
            mtime_nsec=found.st_mtime_ns,
            is_directory=_stat.S_ISDIR(found.st_mode),
            st_mode=found.st_mode,
        )

    @staticmethod
    def walk(
        top: PathType, topdown: bool = True, onerror: Callable[..., None] | None = None
    ) -> Iterable[Any]:
        return os.walk(top, topdown=topdown, onerror=onerror)

    @staticmethod
    def get_inline_filename(data: str, compressed: bool = False) -> str:
        content = data.encode()
        descriptor, path = tempfile.mkstemp(prefix="inline-", suffix=".gz" if compressed else "")
        with os.fdopen(descriptor, "wb") as file:
            file.write(gzip.compress(content) if compressed else content)
        return path


def _check_free(destination: PathType, overwrite: bool) -> None:
    if not overwrite and os.path.lexists(destination):
        raise FileExistsError(
            f"{destination!r} already exists. Remove it, or pass overwrite=True to replace it."
        )
