"""Locations of a shard's files for the process that reads them.

A pass keeps calling a file what the caller calls it, in messages and wherever its result depends on
the name; it opens what `local_copy` gives.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextvars import ContextVar

from trainwright.storage.uris import is_supported

# Copies that were brought here for the shard in work, by the caller's paths.
_copies: ContextVar[Mapping[str, str] | None] = ContextVar("_copies", default=None)
# What objects must be, by their URIs: the numbers of a manifest. It says nothing of any others.
Contents = Mapping[str, Sequence[int]]
_contents: ContextVar[Contents | None] = ContextVar("_contents", default=None)


@contextlib.contextmanager
def local_copy(path: str) -> Iterator[str]:
    """What to open for a file of the shard in work: the path itself, or that of a copy here.

    A file in an object store is read from this host's bounded cache of copies, and checked against
    the content that `expecting` was told, if any.

    Example: `with local_copy(shard.config["path"]) as path: read(path)`
    """
    brought = (_copies.get() or {}).get(path)
    if brought is not None or not is_supported(path):
        yield brought or path
        return
    # What opens object stores is imported where there is one.
    from trainwright.storage.local_copies import default_copies

    known = (_contents.get() or {}).get(path)
    copies = default_copies()
    fetched = copies.fetch_file(path) if known is None else copies.fetch_tree(path, {"": known})
    with fetched as copy:
        yield copy.path


def file_size(path: str) -> int:
    """About how many bytes a file has, for the size of a shard."""
    if not is_supported(path):
        return os.path.getsize(path)
    known = (_contents.get() or {}).get(path)
    if known is not None:
        return known[0]
    from trainwright.storage.objects import stat

    facts = stat(path)
    if facts is None:
        raise FileNotFoundError(f"There is no object {path}.")
    return facts.size


@contextlib.contextmanager
def reading_copies(copies: Mapping[str, str]) -> Iterator[None]:
    """Within the block, files are read at other places.

    Example: `with reading_copies({"/data/a.gz": "/tmp/x/a.gz"}): built.run(shard, report)`
    """
    before = _copies.set(copies)
    try:
        yield
    finally:
        _copies.reset(before)


@contextlib.contextmanager
def expecting(contents: Contents) -> Iterator[None]:
    """Within the block, what is read of these objects must be what their manifest says.

    Example: `with expecting({"s3://bucket/a.gz": [120, 0, 0x1b2c3d4e]}): read_examples()`
    """
    known = _contents.get() or {}
    if all(known.get(path) == numbers for path, numbers in contents.items()):
        yield  # the process that made a shard knows it already, for all shards at once
        return
    before = _contents.set({**known, **contents})
    try:
        yield
    finally:
        _contents.reset(before)


def expected_contents(paths: Iterable[str]) -> dict[str, list[int]]:
    """What is known of the content of files, to travel with the shard that reads them."""
    known = _contents.get() or {}
    return {path: list(known[path]) for path in paths if path in known}


def expected_names(directory: str) -> list[str] | None:
    """The names of the files below a directory of which the content is known; None if unknown."""
    prefix = f"{directory.rstrip('/')}/"
    below = [path[len(prefix) :] for path in _contents.get() or {} if path.startswith(prefix)]
    # An empty directory is listed with a slash at its end.
    return [name for name in below if name and not name.endswith("/")] if below else None
