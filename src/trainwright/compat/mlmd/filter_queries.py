"""Filter queries, put together from their conditions."""

from __future__ import annotations

from collections import UserList
from collections.abc import Iterator
from typing import Any, ClassVar

from trainwright.compat.ml_metadata.metadata_store import ListOptions


def list_options(v: Any) -> ListOptions:
    """The options that ask for what a query selects."""
    return ListOptions(filter_query=str(v))


class _Conditions(UserList[Any]):
    """Conditions with one word between them; those of the same kind within it are its own."""

    separator: ClassVar[str]

    def list_options(self) -> ListOptions:
        return list_options(self)

    def _flat(self) -> Iterator[Any]:
        for condition in self:
            if isinstance(condition, type(self)):
                yield from condition._flat()
            else:
                yield condition

    def __str__(self) -> str:
        conditions = list(self._flat())
        if len(conditions) < 2:
            return "".join(map(str, conditions))
        return f" {self.separator} ".join(f"({condition})" for condition in conditions)


class And(_Conditions):
    """All of the conditions: `str(And(["id = 1", "state = LIVE"]))`."""

    separator = "AND"


class Or(_Conditions):
    """Any of the conditions."""

    separator = "OR"


def to_sql_string(value: Any) -> str:
    """A literal of a filter query.

    Example:
        >>> to_sql_string(["a", 1, True])
        '("a", 1, TRUE)'
    """
    if isinstance(value, list):
        return f"({', '.join(map(to_sql_string, value))})"
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, (int, float)):
        return str(value)
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'
    raise NotImplementedError(f"Cannot convert {value} to SQL string.")
