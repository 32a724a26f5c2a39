"""The Python code of a project: its files and notebooks, parsed and never run."""

from __future__ import annotations

import ast
import json
import os
import re
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from trainwright._paths import kind_of

_SUFFIXES = (".py", ".ipynb")
_SKIPPED_DIRECTORIES = {"__pycache__", "node_modules", "site-packages", "venv", "env", "build"}
_MOST_BYTES = 20 * 1024 * 1024
# Cells of other languages; the others are Python below the magic's own line.
_OTHER_LANGUAGES = ("bash", "sh", "html", "javascript", "js", "latex", "markdown", "script", "svg")
_MAGIC = re.compile(r"^(\s*)(%{1,2}[A-Za-z].*|[!?].*|[\w.]+\?+\s*)$")
_ASSIGNED_MAGIC = re.compile(r"^(\s*\w+\s*=\s*)[!%].*$")


class UnreadableSourceError(ValueError):
    """A file that is not Python code; `line` is where, if that is known."""

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(message)
        self.line = line


@dataclass(frozen=True, kw_only=True)
class Code:
    """One piece of code: a whole file, or a cell of a notebook, whose number is `cell`.

    One that is not Python has an empty tree and says why (`error`).
    """

    tree: ast.Module
    cell: int | None = None
    error: UnreadableSourceError | None = None

    def place(self, line: int) -> str:
        """Where a line is, as people find it: "12", or "cell 3, line 2"."""
        return str(line) if self.cell is None else f"cell {self.cell}, line {line}"


def find_sources(paths: Iterable[str]) -> list[str]:
    """The files that are meant by paths of files and directories, in order, each once.

    Raises FileNotFoundError that names the path.
    """
    found: dict[str, None] = {}
    for path in paths:
        kind = kind_of(path)
        if kind == "a directory":
            found.update(dict.fromkeys(_below(path)))
        elif kind == "a file":
            found[path] = None
        else:
            problem = f"There is no {path}." if kind == "nothing" else f"{path} is {kind}."
            raise FileNotFoundError(f"{problem} Give .py files, notebooks or directories.")
    return list(found)


def _below(directory: str) -> Iterator[str]:
    for parent, directories, names in os.walk(directory):
        directories[:] = sorted(
            name
            for name in directories
            if not name.startswith(".") and name not in _SKIPPED_DIRECTORIES
        )
        for name in sorted(names):
            path = os.path.join(parent, name)
            if name.endswith(_SUFFIXES) and kind_of(path) == "a file":
                yield path


def read_source(path: str) -> list[Code]:
    """The code of a file; raises UnreadableSourceError if it cannot be read."""
    try:
        if os.path.getsize(path) > _MOST_BYTES:
            raise UnreadableSourceError("It has more than 20 MB: it is not source code.")
        with open(path, "rb") as file:
            content = file.read()
    except OSError as error:
        raise UnreadableSourceError(f"It cannot be read: {error.strerror}.") from error
    if path.endswith(".ipynb"):
        return list(_read_notebook(content))
    return [Code(tree=_parse(content))]


def _parse(content: bytes | str) -> ast.Module:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of escape sequences, which are the user's to mend
            return ast.parse(content)
    except SyntaxError as error:
        message = f"It is not Python: {error.msg}. Python 2 code must be converted first."
        raise UnreadableSourceError(message, error.lineno or 0) from error
    except (ValueError, RecursionError, MemoryError) as error:
        raise UnreadableSourceError(
            f"It is not Python: {error or type(error).__name__}."
        ) from error


def _read_notebook(content: bytes) -> Iterator[Code]:
    try:
        cells = json.loads(content)["cells"]
        sources = [_cell_source(cell) for cell in cells]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        message = f"It is not a notebook of version 4 ({type(error).__name__}: {error})."
        raise UnreadableSourceError(message) from error
    for number, source in enumerate(sources, start=1):
        if source is None:
            continue
        try:
            yield Code(tree=_parse_cell(source), cell=number)
        except UnreadableSourceError as error:
            yield Code(tree=ast.Module(body=[], type_ignores=[]), cell=number, error=error)


def _parse_cell(source: str) -> ast.Module:
    # As it is first: a line of Python may begin with "%", too.
    try:
        return _parse(source)
    except UnreadableSourceError:
        return _parse(_without_magics(source))


def _cell_source(cell: Any) -> str | None:
    if cell["cell_type"] != "code":
        return None
    source = cell["source"]
    return source if isinstance(source, str) else "".join(source)


def _without_magics(source: str) -> str:
    """The Python of a cell, on the same lines; commands and magics become `pass`.

    >>> _without_magics("!pip install tfx\\nimport tfx")
    'pass\\nimport tfx'
    """
    first = source.lstrip().partition("\n")[0]
    if first.startswith("%%") and first[2:].split(" ")[0].strip() in _OTHER_LANGUAGES:
        return ""
    if first.startswith("%%writefile") and not first.rstrip(" }'\"").endswith((".py", "file")):
        return ""
    lines = (_MAGIC.sub(r"\1pass", line) for line in source.split("\n"))
    return "\n".join(_ASSIGNED_MAGIC.sub(r"\1None", line) for line in lines)
