"""Printing for people and for programs."""

from __future__ import annotations

import dataclasses
import enum
import json
import math
import os
import sys
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TextIO, TypeVar

import click

from trainwright._printable import printable, printable_line

Command = TypeVar("Command", bound=Callable[..., Any])

# What a terminal is taken to show; a table's last column is wrapped to it.
WIDTH = 100
_NARROWEST_COLUMN = 24


class Bold(str):
    """A part of a line that is printed bold."""

    __slots__ = ()


class Link(str):
    """A part of a line that is the path of a file, and a link to it in terminals that can."""

    __slots__ = ()


def echo(
    *parts: str, err: bool = False, nl: bool = True, fg: str | None = None, bold: bool = False
) -> None:
    """Prints a line; whatever it holds, the only escape sequences in it are those of its style.

    Every command prints through this, `logs --raw` excepted.
    """
    has_links = _shows_links(sys.stderr if err else sys.stdout)
    text = "".join(_styled(part, has_links) for part in parts)
    click.secho(text, err=err, nl=nl, fg=fg, bold=bold or None)


def _styled(part: str, has_links: bool) -> str:
    text = printable(part)
    if isinstance(part, Bold):
        return click.style(text, bold=True)
    if isinstance(part, Link) and has_links:
        return f"\x1b]8;;{Path(part).as_uri()}\x1b\\{text}\x1b]8;;\x1b\\"
    return text


def _shows_links(stream: TextIO) -> bool:
    """Terminals ignore the sequence of a link if they do not know it, but for these."""
    return stream.isatty() and os.environ.get("TERM", "dumb") not in ("dumb", "linux")


def json_option(command: Command) -> Command:
    """Adds `--json`, which arrives as `as_json`."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON.")(command)


def print_json(value: Any) -> None:
    """Prints one document that every JSON parser takes: NaN and infinities become text."""
    echo(json.dumps(to_plain(value), indent=2, allow_nan=False))


def to_plain(value: Any) -> Any:
    """A value as JSON holds it.

    >>> to_plain({"loss": float("nan"), "ids": (1, 2)})
    {'loss': 'NaN', 'ids': [1, 2]}
    """
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = dataclasses.fields(value)
        return {field.name: to_plain(getattr(value, field.name)) for field in fields}
    if isinstance(value, Mapping):
        return {str(name): to_plain(item) for name, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [to_plain(item) for item in value]
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    return str(value)


def print_table(
    columns: Sequence[str], rows: Iterable[Sequence[str]], *, wrap_last: bool = False
) -> None:
    """A table without lines; cells are not cut, so that they can be copied.

    With `wrap_last`, a last column of prose goes on below itself instead of over the margin.
    """
    lines = [list(columns), *[[printable_line(cell) for cell in row] for row in rows]]
    widths = [_column_width(lines, index) for index in range(len(columns))]
    indent = sum(widths[:-1]) + 2 * (len(widths) - 1)
    shown = []
    for *cells, last in lines:
        text = "".join(f"{cell.ljust(width)}  " for cell, width in zip(cells, widths, strict=False))
        parts = _wrapped(last, WIDTH - indent) if wrap_last else [last]
        shown.append((text + parts[0]).rstrip())
        shown += [" " * indent + part for part in parts[1:]]
    heading, *body = shown
    echo(heading, bold=True)
    if body:
        echo("\n".join(body))  # at once: a table may have very many rows


def _column_width(lines: Sequence[Sequence[str]], index: int) -> int:
    """As wide as the widest cell that has something to its right, where width matters."""
    return max(len(line[index]) for line in lines if any(line[index + 1 :]) or line is lines[0])


def _wrapped(text: str, width: int) -> list[str]:
    wrapped = textwrap.wrap(text, max(width, _NARROWEST_COLUMN), break_long_words=False)
    return wrapped or [""]


def print_facts(facts: Iterable[tuple[str, str]]) -> None:
    """Names and values in two columns; a value of several lines keeps its indentation."""
    shown = [(printable_line(name), printable(value)) for name, value in facts]
    width = max((len(name) for name, _ in shown), default=0) + 2
    for name, value in shown:
        first, *rest = value.splitlines() or [""]
        echo(Bold(name), (" " * (width - len(name)) + first).rstrip())
        for line in rest:
            echo(" " * width + line)


def print_heading(text: str) -> None:
    echo(f"\n{text}", bold=True)
