"""Where the files of a shard are for the process that reads them.

A pass keeps calling a file what the caller calls it, in messages and wherever its result depends on
the name; it opens what `local_copy` gives.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping
from contextvars import ContextVar

from trainwright.storage.uris import is_supported

# Copies that were brought here for the shard in work, by the caller's paths.
_copies: ContextVar[Mapping[str, str] | None] = ContextVar("_copies", default=None)


@contextlib.contextmanager
def local_copy(path: str) -> Iterator[str]:
    """What to open for a file of the shard in work: the path itself, or that of a copy here.

    A file in an object store is read from this host's bounded cache of copies.

    Example: `with local_copy(shard.config["path"]) as path: read(path)`
    """
    brought = (_copies.get() or {}).get(path)
    if brought is not None or not is_supported(path):
        yield brought or path
        return
    # What opens object stores is imported where there is one.
    from trainwright.storage.local_copies import default_copies

    with default_copies().fetch_file(path) as copy:
        yield copy.path


def file_size(path: str) -> int:
    """About how many bytes a file has, for the size of a shard."""
    if not is_supported(path):
        return os.path.getsize(path)
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
