"""The forms in which `trainwright logs` prints: text, bytes as they are, and JSON.

Each takes the log in pieces and prints a piece before it asks for the next: neither a log nor a
line of it has to fit into memory.
"""

from __future__ import annotations

import codecs
import io
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from trainwright.cli.output import echo

PrintLog = Callable[[Iterable[bytes]], None]


def print_text(pieces: Iterable[bytes]) -> None:
    """Prints text with its control characters escaped; a carriage return ends a line."""
    for text in _decoded(pieces):
        echo(text, nl=False)


def print_raw(pieces: Iterable[bytes]) -> None:
    """Prints the bytes as they are."""
    for piece in pieces:
        sys.stdout.buffer.write(piece)
        sys.stdout.buffer.flush()


def print_lines_as_json(pieces: Iterable[bytes]) -> None:
    """Prints a document `{"line": ...}` for each line."""
    for text in _json_strings(pieces, before='{"line": ', after="}\n"):
        echo(text, nl=False)


def print_document(head: Mapping[str, Any], pieces: Iterable[bytes]) -> None:
    """Prints one document: the head, and the lines under the key `lines`."""
    echo(json.dumps({**head, "lines": []}, indent=2).removesuffix("]\n}"), nl=False)
    is_empty = True
    for text in _json_strings(pieces, before=",\n    ", after=""):
        echo(text.removeprefix(",") if is_empty else text, nl=False)
        is_empty = is_empty and not text
    echo("]\n}" if is_empty else "\n  ]\n}")


def _json_strings(pieces: Iterable[bytes], *, before: str, after: str) -> Iterator[str]:
    """The lines as JSON strings, each between two texts; what there is of them, piece by piece."""
    is_open = False  # whether the last line goes on in the next piece
    for text in _decoded(pieces):
        parts = []
        *ended, rest = text.split("\n")
        for line in ended:
            opening = "" if is_open else f'{before}"'
            parts.append(f'{opening}{_quoted(line)}"{after}')
            is_open = False
        if rest:
            parts.append(("" if is_open else f'{before}"') + _quoted(rest))
            is_open = True
        yield "".join(parts)
    if is_open:
        yield f'"{after}'


def _quoted(text: str) -> str:
    return json.dumps(text)[1:-1]


def _decoded(pieces: Iterable[bytes]) -> Iterator[str]:
    """The pieces as text; a character or a line break may lie across two of them."""
    decode = io.IncrementalNewlineDecoder(
        codecs.getincrementaldecoder("utf-8")(errors="replace"), translate=True
    ).decode
    for piece in pieces:
        yield decode(piece)
    yield decode(b"", final=True)
