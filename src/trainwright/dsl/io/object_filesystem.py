"""The filesystem under `fileio` for object stores: `s3://`, `gs://`, `az://` and `memory://`.

A store has objects and no directories: there is one wherever something lies below it, it need not
be made, and it is gone with the last object in it. A file is there once it is closed.
"""

from __future__ import annotations

import fnmatch
import functools
import glob as _glob
import io
import os
import stat as _stat
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from trainwright.dsl.io.filesystem import FileStatistics, Filesystem, NotFoundError, PathType
from trainwright.storage import files, objects, uris
from trainwright.storage.errors import no_such_object

_MODES = {"r": "rb", "rt": "rb", "rb": "rb", "w": "wb", "wt": "wb", "wb": "wb"}


def _as_given(given: PathType, found: str) -> Any:
    return os.fsencode(found) if isinstance(given, bytes) else found


class ObjectFilesystem(Filesystem):
    """Objects by address, in the manner of files. Text is UTF-8, names come sorted."""

    SUPPORTED_SCHEMES = tuple(f"{scheme}://" for scheme in uris.SCHEMES)

    @staticmethod
    def open(name: PathType, mode: str = "r") -> Any:
        return _open(name, mode)

    @staticmethod
    def copy(src: PathType, dst: PathType, overwrite: bool = False) -> None:
        source, target = _text(src), _text(dst)
        _check_free(target, overwrite)
        objects.copy(source, target)

    @staticmethod
    def exists(path: PathType) -> bool:
        return objects.exists(_text(path))

    @staticmethod
    def glob(pattern: PathType) -> list[Any]:
        address = uris.split(os.fsdecode(pattern))
        found = [address.root]
        steps = address.key.split("/") if address.key else []
        for number, step in enumerate(steps):
            is_last = number == len(steps) - 1
            found = [below for uri in found for below in _matching(uri, step, is_last)]
        return [_as_given(pattern, uri) for uri in sorted(found)]

    @staticmethod
    def isdir(path: PathType) -> bool:
        return _is_directory(_text(path))

    @staticmethod
    def listdir(path: PathType) -> list[Any]:
        uri = _text(path)
        directories, names = objects.list_names(uri)
        if not directories and not names:
            raise _no_directory(uri)
        return [_as_given(path, name) for name in sorted({*directories, *names})]

    @staticmethod
    def makedirs(path: PathType) -> None:
        _text(path)  # there is nothing to make, but a wrong address is wrong here, too

    @staticmethod
    def mkdir(path: PathType) -> None:
        _text(path)

    @staticmethod
    def remove(path: PathType) -> None:
        uri = _text(path)
        if objects.stat(uri) is None:
            if _is_directory(uri):
                raise IsADirectoryError(f"{uri!r} is a directory. Remove it with rmtree.")
            raise no_such_object(uri)
        objects.remove(uri)

    @staticmethod
    def rename(src: PathType, dst: PathType, overwrite: bool = False) -> None:
        source, target = _text(src), _text(dst)
        _check_free(target, overwrite)
        if objects.stat(source) is not None:
            objects.copy(source, target)
            objects.remove(source)
            return
        below = objects.list_tree(source)
        if not below:
            raise no_such_object(source)
        for facts in below:
            objects.copy(facts.uri, uris.join(target, uris.relative(facts.uri, source)))
        objects.remove_tree(source)

    @staticmethod
    def rmtree(path: PathType) -> None:
        uri = _text(path)
        if not objects.remove_tree(uri):
            if objects.stat(uri) is not None:
                raise NotADirectoryError(f"{uri!r} is a file. Remove it with remove.")
            raise _no_directory(uri)

    @staticmethod
    def stat(path: PathType) -> FileStatistics:
        uri = _text(path)
        facts = objects.stat(uri)
        if facts is not None:
            return FileStatistics(
                length=facts.size,
                mtime_nsec=facts.modified_ns,
                is_directory=False,
                st_mode=_stat.S_IFREG | 0o644,
            )
        if not _is_directory(uri):
            raise no_such_object(uri)
        return FileStatistics(
            length=0, mtime_nsec=0, is_directory=True, st_mode=_stat.S_IFDIR | 0o755
        )

    @staticmethod
    def walk(
        top: PathType, topdown: bool = True, onerror: Callable[..., None] | None = None
    ) -> Iterable[Any]:
        uri = _text(top)
        return _walk(uri, topdown, onerror, functools.partial(_as_given, top))


def _text(path: PathType) -> str:
    uri = os.fsdecode(path)
    uris.check_uri(uri, "The path")
    return uri


def _open(name: PathType, mode: str) -> Any:
    uri = _text(name)
    if mode not in _MODES:
        raise ValueError(
            f"The mode {mode!r} is not supported for {uri!r}: an object is read, or written as a "
            "whole. Expected 'r', 'rb', 'w' or 'wb'; to append, read it and write it again."
        )
    reads = _MODES[mode] == "rb"
    file: Any = files.open_input(uri) if reads else files.open_output(uri, keep_unclosed=True)
    if "b" not in mode:
        file = _Text(file, encoding="utf-8")
    # As LocalFilesystem's files have it.
    file.size = lambda: _size(uri)
    return file


class _Text(io.TextIOWrapper):
    """A text file of which nothing is kept if its `with` block fails."""

    def __exit__(self, kind: Any, *details: Any) -> None:
        if kind is not None and isinstance(self.buffer, files.WholeWriter):
            self.buffer.abandon()
        super().__exit__(kind, *details)


def _size(uri: str) -> int:
    facts = objects.stat(uri)
    return 0 if facts is None else facts.size


def _is_directory(uri: str) -> bool:
    if not uris.split(uri).key:
        objects.check_bucket(uri)
        return True
    return any(objects.list_names(uri))


def _check_free(uri: str, overwrite: bool) -> None:
    if not overwrite and objects.exists(uri):
        raise FileExistsError(
            f"{uri!r} already exists. Remove it, or pass overwrite=True to replace it."
        )


def _no_directory(uri: str) -> NotFoundError:
    return NotFoundError(f"{uri!r} does not exist: no object lies below it.")


def _matching(uri: str, step: str, is_last: bool) -> Iterator[str]:
    """What one step of a pattern finds below an address."""
    if not _glob.has_magic(step):
        below = uris.join(uri, step)
        if not is_last or objects.exists(below):
            yield below
        return
    directories, names = objects.list_names(uri)
    for name in {*directories, *names} if is_last else directories:
        is_hidden = name.startswith(".") and not step.startswith(".")
        if not is_hidden and fnmatch.fnmatchcase(name, step):
            yield uris.join(uri, name)


def _walk(
    top: str,
    topdown: bool,
    onerror: Callable[..., None] | None,
    as_given: Callable[[str], Any],
) -> Iterator[Any]:
    directories, names = objects.list_names(top)
    if not directories and not names:
        if onerror is not None:
            onerror(_no_directory(top))
        return
    here = as_given(top), [as_given(one) for one in directories], [as_given(one) for one in names]
    if topdown:
        yield here
    for name in here[1]:  # the caller may have taken some out
        yield from _walk(uris.join(top, os.fsdecode(name)), topdown, onerror, as_given)
    if not topdown:
        yield here
