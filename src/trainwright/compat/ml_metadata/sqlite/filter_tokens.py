"""The words of a filter query: names, literals, operators."""

from __future__ import annotations

import ast
import re
from typing import NamedTuple, NoReturn

from trainwright.compat.ml_metadata import errors

KEYWORDS = frozenset(
    {"AND", "OR", "NOT", "IN", "IS", "NULL", "LIKE", "BETWEEN", "TRUE", "FALSE", "UNNEST"}
)

_PATTERN = re.compile(
    r"""
    (?P<space>\s+|--[^\n]*|\#[^\n]*)
  | (?P<string>[rR]?(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"))
  | (?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)
  | (?P<name>[A-Za-z_]\w*|`(?:[^`\\]|\\.)+`)
  | (?P<symbol><=|>=|!=|<>|[=<>(),.+\-*/\[\]])
    """,
    re.VERBOSE,
)


class Token(NamedTuple):
    """A word of the query: what it is, how it is written, and at which column."""

    kind: str
    text: str
    column: int


def tokenize(query: str) -> list[Token]:
    """The words, and an `end` behind them. Keywords are in capitals; quotes of names are off."""
    tokens = []
    position = 0
    while position < len(query):
        match = _PATTERN.match(query, position)
        if match is None:
            invalid(f"Syntax error: Illegal input character {query[position]!r}", position + 1)
        kind, text = match.lastgroup or "", match.group()
        if kind == "name" and text.upper() in KEYWORDS:
            kind, text = "keyword", text.upper()
        elif text.startswith("`"):
            kind, text = "quoted", text[1:-1].replace("\\`", "`").replace("\\\\", "\\")
        if kind != "space":
            tokens.append(Token(kind, text, position + 1))
        position = match.end()
    return [*tokens, Token("end", "end of expression", len(query) + 1)]


def string_content(token: Token) -> str:
    """What a string literal says; escapes are those of Python, raw strings have none."""
    try:
        return str(ast.literal_eval(token.text))
    except (SyntaxError, ValueError) as error:
        invalid(f"Syntax error: Illegal string literal {token.text} ({error})", token.column)


def invalid(problem: str, column: int) -> NoReturn:
    raise errors.InvalidArgumentError(f"Invalid `filter_query`: {problem} [at 1:{column}]")
