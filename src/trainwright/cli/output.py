"""Printing for people and for programs."""

from __future__ import annotations

import dataclasses
import enum
import json
from collections.abc import Iterable, Sequence
from typing import Any

import click


def print_json(value: Any) -> None:
    click.echo(json.dumps(value, default=_plain, indent=2))


def _plain(value: Any) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    if isinstance(value, enum.Enum):
        return value.value
    return str(value)


def print_table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """A table without lines; cells are not cut, so that they can be copied."""
    lines = [list(columns), *[list(row) for row in rows]]
    widths = [max(len(line[index]) for line in lines) for index in range(len(columns))]
    for number, line in enumerate(lines):
        text = "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        click.secho(text.rstrip(), bold=number == 0)
