"""Where the files of a shard are for the process that reads them.

A pass keeps calling a file what the caller calls it, in messages and wherever its result depends on
the name; it opens what `local_path` gives.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from contextvars import ContextVar

# Copies that were brought here for the shard in work, by the caller's paths.
_copies: ContextVar[Mapping[str, str]] = ContextVar("_copies", default={})  # noqa: B039  never changed


def local_path(path: str) -> str:
    """What to open for a file of the shard in work: the path itself, or that of a copy here."""
    return _copies.get().get(path, path)


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
