"""TensorFlow's `tf.io.gfile` as a filesystem, for programs that reach for `gs://` themselves:

    DEFAULT_FILESYSTEM_REGISTRY.register(TensorflowFilesystem, priority=10, use_as_fallback=True)

It is not registered by being imported: pipelines here read and write local files, and a remote path
that is given by mistake should be refused, not waited for.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any, TypeVar, cast

from trainwright.dsl.io.filesystem import Filesystem, NotFoundError, PathType

Operation = TypeVar("Operation", bound=Callable[..., Any])


def _gfile() -> Any:
    import tensorflow as tf

    return tf.io.gfile


def _missing_as_not_found(operation: Operation) -> Operation:
    """TensorFlow has an error of its own for what is missing."""

    @functools.wraps(operation)
    def call(*args: Any, **kwargs: Any) -> Any:
        import tensorflow as tf

        try:
            return operation(*args, **kwargs)
        except tf.errors.NotFoundError as error:
            raise NotFoundError(str(error)) from error

    return cast(Operation, call)


class TensorflowFilesystem(Filesystem):
    """Files as `tf.io.gfile` reaches them; TensorFlow is imported at the first use."""

    SUPPORTED_SCHEMES = ("", "gs://", "hdfs://", "s3://")

    @staticmethod
    def open(name: PathType, mode: str = "r") -> Any:
        return _gfile().GFile(name, mode=mode)  # which opens the file when it is first used

    @staticmethod
    @_missing_as_not_found
    def copy(src: PathType, dst: PathType, overwrite: bool = False) -> None:
        _gfile().copy(src, dst, overwrite=overwrite)

    @staticmethod
    def exists(path: PathType) -> bool:
        return bool(_gfile().exists(path))

    @staticmethod
    def glob(pattern: PathType) -> list[Any]:
        try:
            return _found(pattern)
        except NotFoundError:
            return []

    @staticmethod
    def isdir(path: PathType) -> bool:
        return bool(_gfile().isdir(path))

    @staticmethod
    @_missing_as_not_found
    def listdir(path: PathType) -> list[Any]:
        return list(_gfile().listdir(path))

    @staticmethod
    def makedirs(path: PathType) -> None:
        _gfile().makedirs(path)

    @staticmethod
    @_missing_as_not_found
    def mkdir(path: PathType) -> None:
        _gfile().mkdir(path)

    @staticmethod
    @_missing_as_not_found
    def remove(path: PathType) -> None:
        _gfile().remove(path)

    @staticmethod
    @_missing_as_not_found
    def rename(src: PathType, dst: PathType, overwrite: bool = False) -> None:
        _gfile().rename(src, dst, overwrite=overwrite)

    @staticmethod
    @_missing_as_not_found
    def rmtree(path: PathType) -> None:
        _gfile().rmtree(path)

    @staticmethod
    @_missing_as_not_found
    def stat(path: PathType) -> Any:
        return _gfile().stat(path)

    @staticmethod
    def walk(
        top: PathType, topdown: bool = True, onerror: Callable[..., None] | None = None
    ) -> Iterable[Any]:
        return cast(Iterable[Any], _gfile().walk(top, topdown=topdown, onerror=onerror))


@_missing_as_not_found
def _found(pattern: PathType) -> list[Any]:
    return list(_gfile().glob(pattern))
