"""VocabularyEntries: tokens with what they are ordered by, in memory or in files."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Any

import pyarrow as pa

from trainwright.transform.token_runs import Run, write_rows

# What a token is ordered by, and the token.
Entry = tuple[Any, Any]
_ROWS_AT_ONCE = 10_000
# Turns a part of the entries into another.
Step = Callable[[list[Entry]], list[Entry]]


class VocabularyEntries:
    """Entries in one or more chunks; all but a single chunk are files.

    Args:
        chunks: The entries. They are gone through once, here.
        directory: Where files go.
    """

    def __init__(self, chunks: Iterable[list[Entry]], directory: str) -> None:
        self._directory = directory
        remaining = iter(chunks)
        self._first = next(remaining, [])
        self._files: list[str] = []
        self.count = len(self._first)
        for chunk in remaining:
            if not self._files:
                self._files.append(self._write(self._first))
                self._first = []
            self._files.append(self._write(chunk))
            self.count += len(chunk)

    def chunks(self) -> Iterator[list[Entry]]:
        """Yields the entries in parts that fit into memory."""
        if not self._files:
            yield self._first
        for path in self._files:
            yield list(_stream(path))

    def __iter__(self) -> Iterator[Entry]:
        return chain.from_iterable(self.chunks())

    def map_chunks(self, step: Step) -> VocabularyEntries:
        """The entries after a step that looks at each alone."""
        return VocabularyEntries(map(step, self.chunks()), self._directory)

    def sort(
        self, *, key: Callable[[Entry], Any] | None = None, reverse: bool = False
    ) -> Iterator[Entry]:
        """The entries in order: sorted chunk by chunk, and merged from the files of these."""
        ordered = self.map_chunks(lambda chunk: sorted(chunk, key=key, reverse=reverse))
        return heapq.merge(
            *map(_stream, ordered._files),
            ordered._first,
            key=key,
            reverse=reverse,
        )

    def _write(self, chunk: list[Entry]) -> str:
        keys = [key for key, _ in chunk]
        columns = {"token": [token for _, token in chunk]}
        if keys and isinstance(keys[0], tuple):
            columns["key"], columns["frequency"] = map(list, zip(*keys, strict=True))
        else:
            columns["key"] = keys
        return write_rows(pa.table(columns), self._directory)


def _stream(path: str) -> Iterator[Entry]:
    """The entries of a file, in their order, without having all of them in memory."""
    run = Run(path)
    for start in range(0, run.rows.num_rows, _ROWS_AT_ONCE):
        token, key, *frequency = (
            column.to_pylist() for column in run.rows.slice(start, _ROWS_AT_ONCE).columns
        )
        run.forget()
        yield from zip(zip(key, *frequency, strict=True) if frequency else key, token, strict=True)
