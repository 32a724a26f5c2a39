"""The bytes of a file, decompressed if it is a gzip file, in pieces of bounded size."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator
from typing import Any, BinaryIO

from isal import isal_zlib

from trainwright._errors import TrainwrightError

GZIP_MAGIC = b"\x1f\x8b"

_GZIP_WINDOW_BITS = 31  # zlib's spelling of "deflate with a gzip header"
_PIECE_BYTES = 1 << 20

# isal's own annotations are incomplete.
_isal_zlib: Any = isal_zlib


class DecompressionError(TrainwrightError, ValueError):
    """A gzip file is cut off or damaged; what came before was given out already."""


def read_pieces(path: str | os.PathLike[str], *, is_gzip: bool) -> Iterator[bytes]:
    """Yields the uncompressed bytes of a file, none of the pieces empty.

    Several gzip files in one, as `cat a.gz b.gz` makes them, are read one after the other; zero
    bytes behind them are padding.

    Raises:
      DecompressionError: where a gzip file cannot be read on.
    """
    with open(path, "rb") as file:
        if is_gzip:
            yield from _decompress(file)
        else:
            while piece := file.read(_PIECE_BYTES):
                yield piece


def _decompress(file: BinaryIO) -> Iterator[bytes]:
    compressed = file.read(_PIECE_BYTES)
    while compressed:
        compressed = yield from _decompress_member(file, compressed)
        while compressed and not compressed.strip(b"\0"):
            compressed = file.read(_PIECE_BYTES)
        compressed = compressed.lstrip(b"\0")
        if compressed and not GZIP_MAGIC.startswith(compressed[:2]):
            raise DecompressionError("what follows the end of the compressed data is not gzip")


def _decompress_member(file: BinaryIO, compressed: bytes) -> Generator[bytes, None, bytes]:
    """Yields what one gzip member holds; returns the bytes that were read beyond it."""
    member = _isal_zlib.decompressobj(_GZIP_WINDOW_BITS)
    while not member.eof:
        if not compressed:
            compressed = file.read(_PIECE_BYTES)
            if not compressed:
                raise DecompressionError("the file ends before the compressed data does")
        try:
            piece = member.decompress(compressed, _PIECE_BYTES)
        except _isal_zlib.error as error:
            raise DecompressionError(str(error)) from error
        compressed = member.unconsumed_tail
        if piece:
            yield piece
    return member.unused_data or b""
