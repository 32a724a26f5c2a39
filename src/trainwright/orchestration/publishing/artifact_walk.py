"""Walks over an artifact on disk: files, links, and directories that no file names."""

from __future__ import annotations

import os
from collections.abc import Iterator


def walk_artifact(uri: str, *, follow_links: bool = False) -> Iterator[str]:
    """All files below a directory, or the one file; a path that ends with `/` is a directory.

    Directories are listed if nothing is in them. A link counts as a file and is not followed, or
    else as what it leads to: a linked directory is walked once, and listed without its files if it
    is a circle or if they are listed already.
    """
    if os.path.isdir(uri):
        yield from _walk(uri, uri, [os.path.realpath(uri)] if follow_links else None)
    elif os.path.exists(uri):
        yield uri


def walk_files(uri: str, *, follow_links: bool = False) -> Iterator[str]:
    """The same without directories."""
    for path in walk_artifact(uri, follow_links=follow_links):
        if not is_directory_entry(path):
            yield path


def is_directory_entry(path: str) -> bool:
    """Whether a path stands for a directory in what `walk_artifact` lists."""
    return path.endswith(os.sep)


def walk_directories(uri: str) -> Iterator[str]:
    """The directories that name the files: from those within to the one that holds the artifact."""
    if os.path.isdir(uri):
        for directory, _, _ in os.walk(uri, topdown=False):
            yield directory
    else:
        yield os.path.dirname(uri)
    yield os.path.dirname(uri if os.path.isdir(uri) else os.path.dirname(uri))


def _walk(top: str, uri: str, walked: list[str] | None) -> Iterator[str]:
    """Walks a directory; if links are followed, `walked` has the real ones that were begun with."""
    for directory, directories, names in os.walk(top):
        if not directories and not names and directory != uri:
            yield os.path.join(directory, "")
        directories.sort()
        links = {name for name in directories if os.path.islink(os.path.join(directory, name))}
        for name in sorted([*names, *links]):
            path = os.path.join(directory, name)
            if name not in links or walked is None:
                yield path
            elif _is_walked(path, directory, walked):
                yield os.path.join(path, "")
            else:
                walked.append(os.path.realpath(path))
                yield from _walk(path, uri, walked)


def _is_walked(link: str, directory: str, walked: list[str]) -> bool:
    """Whether a link leads to what is walked anyway, or to a directory that it lies in."""
    target = os.path.realpath(link)
    return _is_within(os.path.realpath(directory), target) or any(
        _is_within(target, each) for each in walked
    )


def _is_within(path: str, directory: str) -> bool:
    return path == directory or path.startswith(os.path.join(directory, ""))
