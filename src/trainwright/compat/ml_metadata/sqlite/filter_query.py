"""Filter queries of ML Metadata: conditions on nodes and what is next to them, as SQL.

What can be named: the fields of a node, `properties.NAME.int_value` and the like,
`custom_properties.NAME.string_value`, and, through a name of one's own behind the prefix, other
records: `contexts_a.name`, `events_0.type`, `parent_contexts_x.id`, `artifacts_0.uri`. Every such
record must be there (an inner join), as in ML Metadata.

Values go into the statement as parameters, names as columns of a list that is written here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, NoReturn

from trainwright.compat.ml_metadata import errors
from trainwright.compat.ml_metadata.sqlite.filter_tokens import (
    Token,
    invalid,
    string_content,
    tokenize,
)
from trainwright.compat.ml_metadata.sqlite.node_kinds import (
    ARTIFACT,
    CONTEXT,
    EXECUTION,
    NodeKind,
)
from trainwright.proto.mlmd.metadata_store_pb2 import Event

_NODE_FIELDS = {
    "id": "number",
    "type_id": "number",
    "type": "text",
    "name": "text",
    "external_id": "text",
    "create_time_since_epoch": "number",
    "last_update_time_since_epoch": "number",
}
_OWN_FIELDS = {
    "Artifact": {"uri": "text", "state": "state"},
    "Execution": {"last_known_state": "state"},
    "Context": {},
}
_NEIGHBOUR_FIELDS = {
    "id": "number",
    "name": "text",
    "type": "text",
    "create_time_since_epoch": "number",
    "last_update_time_since_epoch": "number",
}
_VALUE_FIELDS = {
    "int_value": "number",
    "double_value": "number",
    "string_value": "text",
    "bool_value": "bool",
}
_ALIAS = re.compile(r"(contexts|parent_contexts|child_contexts|artifacts|executions|events)_\w+")
# Integers are of 64 bits; also as a float, so that thousands of digits need not be converted.
_INTEGER_LIMIT = 2.0**63
_FUNCTIONS = {"lower": "LOWER", "upper": "UPPER"}


@dataclass
class Selection:
    """A query's part of a statement: `FROM ... WHERE`, the nodes being `n`."""

    joins: str
    condition: str
    parameters: list[Any]


@dataclass
class _Expression:
    """A part of the condition: `kind` is bool, number, text or null; enums are numbers."""

    sql: str
    kind: str
    parameters: list[Any] = field(default_factory=list)
    enum: dict[str, int] | None = None


def translate(query: str, kind: NodeKind) -> Selection:
    """The SQL of a filter query; raises InvalidArgumentError, which says where it goes wrong."""
    parser = _Parser(tokenize(query), kind)
    try:
        condition = parser.disjunction()
    except RecursionError:
        raise errors.InvalidArgumentError(
            f"Invalid `filter_query`: the query ({len(query)} characters) is nested too deeply."
        ) from None
    parser.expect_end()
    if condition.kind != "bool":
        raise errors.InvalidArgumentError(
            f"Invalid `filter_query`: Given query string is not a valid boolean expression: {query}"
        )
    return Selection(
        "".join(parser.joins), condition.sql, [*parser.join_parameters, *condition.parameters]
    )


def _balanced(conditions: list[str], word: str) -> str:
    """Conditions joined in halves: SQLite takes long chains, but not deep parentheses."""
    if len(conditions) == 1:
        return conditions[0]
    middle = len(conditions) // 2
    left, right = _balanced(conditions[:middle], word), _balanced(conditions[middle:], word)
    return f"({left} {word} {right})"


class _Parser:
    """Reads the words from left to right; every method returns the SQL of what it has read."""

    def __init__(self, tokens: list[Token], kind: NodeKind) -> None:
        self._tokens = tokens
        self._place = 0
        self._kind = kind
        self._tables: dict[tuple[str, ...], str] = {}
        self.joins: list[str] = []
        self.join_parameters: list[Any] = []

    def expect_end(self) -> None:
        if self._next.kind != "end":
            self._fail("Expected end of input but got")

    def disjunction(self) -> _Expression:
        return self._chain("OR", self._conjunction)

    def _conjunction(self) -> _Expression:
        return self._chain("AND", self._negation)

    def _chain(self, word: str, part: Any) -> _Expression:
        first: _Expression = part()
        operands = [first]
        while self._take(word):
            operands.append(part())
            self._need_bool(*operands[-2:])
        if len(operands) == 1:
            return first
        parameters = [value for operand in operands for value in operand.parameters]
        return _Expression(_balanced([one.sql for one in operands], word), "bool", parameters)

    def _negation(self) -> _Expression:
        if self._take("NOT"):
            operand = self._negation()
            self._need_bool(operand)
            return _Expression(f"(NOT {operand.sql})", "bool", operand.parameters)
        return self._comparison()

    def _comparison(self) -> _Expression:
        left = self._sum()
        if self._take("IS"):
            word = "IS NOT NULL" if self._take("NOT") else "IS NULL"
            self._need("NULL")
            return _Expression(f"({left.sql} {word})", "bool", left.parameters)
        word = "NOT " if self._take("NOT") else ""
        if self._take("IN"):
            return self._membership(left, word)
        if self._take("LIKE"):
            return self._joined(left, f"{word}LIKE", self._operand_like(left))
        if self._take("BETWEEN"):
            low = self._operand_like(left)
            self._need("AND")
            high = self._operand_like(left)
            return _Expression(
                f"({left.sql} {word}BETWEEN {low.sql} AND {high.sql})",
                "bool",
                left.parameters + low.parameters + high.parameters,
            )
        if word:
            self._fail("Expected IN, LIKE or BETWEEN but got")
        for symbol in ("=", "!=", "<>", "<", ">", "<=", ">="):
            if self._take(symbol):
                return self._compared(left, symbol)
        return left

    def _compared(self, left: _Expression, symbol: str) -> _Expression:
        right = self._operand_like(left)
        compared = self._joined(left, symbol, right)
        if symbol in ("!=", "<>") and left.enum:
            # A state that was never set differs from every state.
            return _Expression(
                f"({left.sql} IS NULL OR {compared.sql})",
                "bool",
                left.parameters + compared.parameters,
            )
        return compared

    def _joined(self, left: _Expression, operator: str, right: _Expression) -> _Expression:
        return _Expression(
            f"({left.sql} {operator} {right.sql})", "bool", left.parameters + right.parameters
        )

    def _membership(self, left: _Expression, word: str) -> _Expression:
        is_array = self._take("UNNEST")
        self._need("(")
        if is_array:
            self._need("[")
        options = [self._operand_like(left)]
        while self._take(","):
            options.append(self._operand_like(left))
        if is_array:
            self._need("]")
        self._need(")")
        listed = ", ".join(option.sql for option in options)
        parameters = [value for option in options for value in option.parameters]
        return _Expression(
            f"({left.sql} {word}IN ({listed}))", "bool", left.parameters + parameters
        )

    def _operand_like(self, left: _Expression) -> _Expression:
        """The other side of a comparison: of the same kind, or a name of the enum."""
        token = self._next
        if left.enum is not None and token.kind in ("name", "quoted"):
            self._place += 1
            if token.text not in left.enum:
                invalid(
                    f"Unsupported enum value specified in the query: {token.text}; expected one "
                    f"of {', '.join(left.enum)}",
                    token.column,
                )
            return _Expression("?", "number", [left.enum[token.text]])
        right = self._sum()
        if left.kind != right.kind and "null" not in (left.kind, right.kind):
            self._mismatch(left.kind.upper(), right.kind.upper(), token)
        return right

    def _sum(self) -> _Expression:
        return self._arithmetic(("+", "-"), lambda: self._arithmetic(("*", "/"), self._operand))

    def _arithmetic(self, symbols: tuple[str, ...], part: Any) -> _Expression:
        expression: _Expression = part()
        while self._next.kind == "symbol" and self._next.text in symbols:
            symbol = self._advance().text
            other = part()
            if (expression.kind, other.kind) != ("number", "number"):
                self._mismatch(expression.kind.upper(), other.kind.upper(), self._next)
            expression = _Expression(
                f"({expression.sql} {symbol} {other.sql})",
                "number",
                expression.parameters + other.parameters,
            )
        return expression

    def _operand(self) -> _Expression:
        token = self._advance()
        if token.kind == "string":
            return _Expression("?", "text", [string_content(token)])
        if token.kind == "number":
            value = float(token.text)
            if token.text.isdigit():
                if value >= _INTEGER_LIMIT:
                    invalid(f"Invalid integer literal: {token.text:.40}", token.column)
                value = int(token.text)
            return _Expression("?", "number", [value])
        if token.text in ("TRUE", "FALSE"):
            return _Expression(token.text, "bool")
        if token.text == "NULL":
            return _Expression("NULL", "null")
        if token.text == "-":
            operand = self._operand()
            return _Expression(f"(- {operand.sql})", operand.kind, operand.parameters)
        if token.text == "(" and token.kind == "symbol":
            inner = self.disjunction()
            self._need(")")
            return inner
        if token.kind == "name" and token.text.lower() in _FUNCTIONS and self._take("("):
            inner = self._sum()
            self._need(")")
            name = _FUNCTIONS[token.text.lower()]
            return _Expression(f"{name}({inner.sql})", inner.kind, inner.parameters)
        if token.kind != "name":
            self._place -= 1
            self._fail("Unexpected")
        return self._column(token)

    def _column(self, first: Token) -> _Expression:
        path = [first.text]
        while self._take("."):
            token = self._advance()
            if token.kind not in ("name", "quoted", "keyword", "number"):
                self._fail("Expected a name but got")
            path.append(token.text)
        if path[0] in ("properties", "custom_properties"):
            return self._property(path, first)
        alias = _ALIAS.fullmatch(path[0])
        if alias and len(path) == 2:
            return self._neighbour(alias[1], path, first)
        fields = {**_NODE_FIELDS, **_OWN_FIELDS[self._kind.table]}
        name = path[0].lower()
        if len(path) > 1 or name not in fields:
            invalid(
                f"Unrecognized name: {'.'.join(path)}; expected one of {', '.join(fields)}, "
                "properties.NAME.int_value, contexts_0.name and the like",
                first.column,
            )
        if fields[name] == "state":
            return _Expression(f"n.{name}", "number", enum=dict(self._kind.states))
        if name == "type":
            return _Expression(f"{self._type_of('n')}.name", "text")
        return _Expression(f"n.{name}", fields[name])

    def _property(self, path: list[str], first: Token) -> _Expression:
        if len(path) < 3 or path[-1] not in _VALUE_FIELDS:
            invalid(
                f"Unrecognized name: {'.'.join(path)}; expected {path[0]}.NAME and one of "
                f"{', '.join(_VALUE_FIELDS)}",
                first.column,
            )
        name = ".".join(path[1:-1])
        table = self._join(
            ("property", path[0], name),
            f"{self._kind.properties_table} AS {{table}} ON "
            f"{{table}}.{self._kind.id_column} = n.id AND {{table}}.name = ? "
            "AND {table}.is_custom_property = ?",
            [name, int(path[0] == "custom_properties")],
        )
        return _Expression(f"{table}.{path[-1]}", _VALUE_FIELDS[path[-1]])

    def _neighbour(self, relation: str, path: list[str], first: Token) -> _Expression:
        alias, name = path
        if relation == "events" and self._kind is not CONTEXT:
            return self._event(alias, name, first)
        joined = _neighbour_join(self._kind, relation)
        if joined is None:
            invalid(f"Unrecognized name: {alias}", first.column)
        fields = dict(_NEIGHBOUR_FIELDS)
        if relation in ("artifacts", "executions"):
            fields |= {"external_id": "text", **_OWN_FIELDS[joined.kind.table]}
        if name not in fields:
            invalid(
                f"Field name {name} does not exist in {alias}; expected one of {', '.join(fields)}",
                first.column,
            )
        link = self._join((alias,), joined.link, [])
        table = self._join(
            (alias, "node"),
            f"{joined.kind.table} AS {{table}} ON {{table}}.id = {link}.{joined.far_column}",
            [],
        )
        if name == "type":
            return _Expression(f"{self._type_of(table)}.name", "text")
        if fields[name] == "state":
            return _Expression(f"{table}.{name}", "number", enum=dict(joined.kind.states))
        return _Expression(f"{table}.{name}", fields[name])

    def _event(self, alias: str, name: str, first: Token) -> _Expression:
        other = EXECUTION if self._kind is ARTIFACT else ARTIFACT
        if name not in ("type", "milliseconds_since_epoch", other.id_column):
            invalid(
                f"Field name {name} does not exist in {alias}; expected type, "
                f"milliseconds_since_epoch or {other.id_column}",
                first.column,
            )
        condition = f"Event AS {{table}} ON {{table}}.{self._kind.id_column} = n.id"
        table = self._join((alias,), condition, [])
        if name == "type":
            return _Expression(f"{table}.type", "number", enum=dict(Event.Type.items()))
        return _Expression(f"{table}.{name}", "number")

    def _type_of(self, table: str) -> str:
        return self._join(
            ("type", table), f"Type AS {{table}} ON {{table}}.id = {table}.type_id", []
        )

    def _join(self, key: tuple[str, ...], clause: str, parameters: list[Any]) -> str:
        """The name of the joined table; the same key is joined once."""
        if key not in self._tables:
            self._tables[key] = table = f"j{len(self._tables)}"
            self.joins.append(f" JOIN {clause.replace('{table}', table)}")
            self.join_parameters += parameters
        return self._tables[key]

    @property
    def _next(self) -> Token:
        return self._tokens[self._place]

    def _advance(self) -> Token:
        token = self._next
        if token.kind == "end":
            self._fail("Unexpected")
        self._place += 1
        return token

    def _take(self, word: str) -> bool:
        if self._next.text == word and self._next.kind in ("keyword", "symbol"):
            self._place += 1
            return True
        return False

    def _need(self, word: str) -> None:
        if not self._take(word):
            self._fail(f"Expected {word!r} but got")

    def _need_bool(self, *expressions: _Expression) -> None:
        for expression in expressions:
            if expression.kind != "bool":
                self._mismatch("BOOL", expression.kind.upper(), self._next)

    def _fail(self, problem: str) -> NoReturn:
        token = self._next
        found = token.text if token.kind == "end" else f"{token.kind} {token.text!r}"
        invalid(f"Syntax error: {problem} {found}", token.column)

    def _mismatch(self, left: str, right: str, token: Token) -> None:
        invalid(f"No matching signature for argument types: {left}, {right}", token.column)


@dataclass(frozen=True)
class _NeighbourJoin:
    """How nodes of a kind are reached: the table between, and its column with their ids."""

    kind: NodeKind
    link: str
    far_column: str


def _neighbour_join(kind: NodeKind, relation: str) -> _NeighbourJoin | None:
    members = {"Artifact": "Attribution", "Execution": "Association"}
    if relation == "contexts" and kind is not CONTEXT:
        link = f"{members[kind.table]} AS {{table}} ON {{table}}.{kind.id_column} = n.id"
        return _NeighbourJoin(CONTEXT, link, "context_id")
    if kind is not CONTEXT:
        return None
    if relation == "parent_contexts":
        link = "ParentContext AS {table} ON {table}.context_id = n.id"
        return _NeighbourJoin(CONTEXT, link, "parent_context_id")
    if relation == "child_contexts":
        link = "ParentContext AS {table} ON {table}.parent_context_id = n.id"
        return _NeighbourJoin(CONTEXT, link, "context_id")
    for other in (ARTIFACT, EXECUTION):
        if relation == f"{other.noun}s":
            link = f"{members[other.table]} AS {{table}} ON {{table}}.context_id = n.id"
            return _NeighbourJoin(other, link, other.id_column)
    return None
