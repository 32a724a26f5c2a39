"""Placeholders: values that are known when a node runs, and predicates that compare them.

`channel.future()` begins one (`channel_placeholder.py`). Nothing here is computed while a pipeline
is declared; a run asks `resolve` and `evaluate` once the artifacts are there.
"""

from __future__ import annotations

import abc
import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

from trainwright.types.artifact import Artifact

if TYPE_CHECKING:
    from trainwright.types.channel import BaseChannel

# Finds the artifacts that a channel holds in this run.
FindArtifacts = Callable[["BaseChannel"], Sequence[Artifact]]

_LONGEST_VALUE = 60
_OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
# Values of one group can be compared with each other.
_COMPARABLE: tuple[tuple[type, ...], ...] = ((bool, int, float), (str,), (bytes,))


class Placeholder(abc.ABC):
    """Stands for a value that a run will know.

    Comparing it with `==`, `!=`, `<`, `<=`, `>` or `>=` gives a `Predicate` for `Cond`, adding a
    text gives a longer one. Its `str` is how it reads in a pipeline, without `.future()`.
    """

    # The Python type of the value; None if that is known only when the pipeline runs.
    value_type: type | None = None

    @abc.abstractmethod
    def resolve(self, find_artifacts: FindArtifacts) -> Any:
        """The value in this run; raises ValueError that says what is missing."""

    @abc.abstractmethod
    def channels(self) -> Iterable[BaseChannel]:
        """The channels whose artifacts are looked at."""

    @abc.abstractmethod
    def __str__(self) -> str: ...

    def __repr__(self) -> str:
        return f"<placeholder {self}>"

    def __eq__(self, other: object) -> Predicate:  # type: ignore[override]
        return _Comparison("==", self, other)

    def __ne__(self, other: object) -> Predicate:  # type: ignore[override]
        return _Comparison("!=", self, other)

    def __lt__(self, other: object) -> Predicate:
        return _Comparison("<", self, other)

    def __le__(self, other: object) -> Predicate:
        return _Comparison("<=", self, other)

    def __gt__(self, other: object) -> Predicate:
        return _Comparison(">", self, other)

    def __ge__(self, other: object) -> Predicate:
        return _Comparison(">=", self, other)

    __hash__ = object.__hash__

    def __add__(self, right: str | Placeholder) -> Placeholder:
        return _Concatenation((self, right))

    def __radd__(self, left: str | Placeholder) -> Placeholder:
        return _Concatenation((left, self))

    def __bool__(self) -> NoReturn:
        raise TypeError(
            f"{self} is not known before the pipeline runs, so Python cannot ask whether it is "
            "true: `if`, `and`, `or`, `not`, `in` and a < b < c do not work with it. Use "
            "`with Cond(...):` for what depends on it, and logical_and, logical_or and logical_not "
            "to combine conditions."
        )

    def __iter__(self) -> NoReturn:
        raise TypeError(f"{self} is not known before the pipeline runs: it cannot be iterated.")

    def __deepcopy__(self, memo: dict[int, Any]) -> Placeholder:
        return self  # its channels must stay those of the pipeline


class _Concatenation(Placeholder):
    """A text that is put together when the node runs."""

    value_type = str

    def __init__(self, parts: Sequence[str | Placeholder]) -> None:
        for part in parts:
            if not isinstance(part, (str, Placeholder)) or isinstance(part, Predicate):
                raise TypeError(f"A text or a placeholder can be added, not {part!r}.")
        self._parts = tuple(parts)

    def resolve(self, find_artifacts: FindArtifacts) -> str:
        resolved = []
        for part in self._parts:
            value = part if isinstance(part, str) else part.resolve(find_artifacts)
            if value is None:
                raise ValueError(f"{part} is not set, so nothing can be added to it.")
            resolved.append(str(value))
        return "".join(resolved)

    def channels(self) -> Iterable[BaseChannel]:
        return _channels_of(self._parts)

    def __str__(self) -> str:
        return " + ".join(_written(part) for part in self._parts)


def join(placeholders: Sequence[str | Placeholder], separator: str = "") -> str | Placeholder:
    """Joins texts and placeholders into one text, as `str.join` does with texts."""
    if not any(isinstance(part, Placeholder) for part in placeholders):
        return separator.join(part for part in placeholders if isinstance(part, str))
    parts: list[str | Placeholder] = []
    for part in placeholders:
        parts += [separator, part] if parts and separator else [part]
    return _Concatenation(parts)


@dataclass(frozen=True)
class Verdict:
    """Whether a predicate holds, and the values that decided it, by how they are written."""

    holds: bool
    found: tuple[tuple[str, Any], ...] = ()


class Predicate(Placeholder):
    """A question about placeholders that a run answers with yes or no; what `Cond` takes."""

    value_type = bool

    @abc.abstractmethod
    def evaluate(self, find_artifacts: FindArtifacts) -> Verdict:
        """The answer in this run; raises ValueError if there is none."""

    def describe_failure(self, verdict: Verdict) -> str:
        """Why the predicate does not hold, in words."""
        values = [f"{text} is {describe_value(value)}" for text, value in verdict.found]
        return f"{self} does not hold ({', '.join(dict.fromkeys(values))})"

    def resolve(self, find_artifacts: FindArtifacts) -> bool:
        return self.evaluate(find_artifacts).holds

    def __repr__(self) -> str:
        return f"<predicate {self}>"

    def __add__(self, right: str | Placeholder) -> NoReturn:
        raise TypeError(f"{self} is a predicate: nothing can be added to it.")

    def __radd__(self, left: str | Placeholder) -> NoReturn:
        raise TypeError(f"{self} is a predicate: it cannot be added to anything.")


class _Comparison(Predicate):
    """Two values and an operator between them."""

    def __init__(self, symbol: str, left: object, right: object) -> None:
        for side in (left, right):
            _check_operand(side)
        self._symbol, self._left, self._right = symbol, left, right
        types = [_static_type(side) for side in (left, right)]
        if None not in types and _group(types[0]) != _group(types[1]):
            names = " with ".join(kind.__name__ for kind in types if kind is not None)
            raise TypeError(f"{self} would compare {names}, which is never equal, less or greater.")

    def evaluate(self, find_artifacts: FindArtifacts) -> Verdict:
        left, right = (_resolved(side, find_artifacts) for side in (self._left, self._right))
        found = tuple(
            (str(side), value)
            for side, value in ((self._left, left), (self._right, right))
            if isinstance(side, Placeholder)
        )
        is_equality = self._symbol in ("==", "!=")
        if left is None or right is None:
            if not is_equality:
                self._refuse(found, "what is not set is neither less nor greater")
        elif not is_equality and _group(type(left)) == ():
            self._refuse(found, f"a {type(left).__name__} is neither less nor greater")
        elif _group(type(left)) != _group(type(right)):
            self._refuse(found, f"{describe_value(left)} and {describe_value(right)} are no match")
        return Verdict(bool(_OPERATIONS[self._symbol](left, right)), found)

    def _refuse(self, found: Sequence[tuple[str, Any]], why: str) -> NoReturn:
        values = ", ".join(
            f"{text} is {describe_value(value)}"
            + ("" if value is None else f" ({type(value).__name__})")
            for text, value in found
        )
        is_unset = any(value is None for _, value in found)
        advice = (
            "Look for its name among those that the node sets, or ask with == or !="
            if is_unset
            else "Compare it with a value of its own type"
        )
        raise ValueError(f"{values}: {why}. {advice}.")

    def describe_failure(self, verdict: Verdict) -> str:
        if len(verdict.found) != 1:
            return super().describe_failure(verdict)
        return f"{self} does not hold (it is {describe_value(verdict.found[0][1])})"

    def channels(self) -> Iterable[BaseChannel]:
        return _channels_of((self._left, self._right))

    def __str__(self) -> str:
        return f"{_written(self._left)} {self._symbol} {_written(self._right)}"


class _Negation(Predicate):
    def __init__(self, predicate: Predicate) -> None:
        self._predicate = predicate

    def evaluate(self, find_artifacts: FindArtifacts) -> Verdict:
        verdict = self._predicate.evaluate(find_artifacts)
        return Verdict(not verdict.holds, verdict.found)

    def channels(self) -> Iterable[BaseChannel]:
        return self._predicate.channels()

    def __str__(self) -> str:
        return f"not ({self._predicate})"


class _Combination(Predicate):
    """Two predicates with `and` or `or` between them; the second is asked only if it counts."""

    def __init__(self, word: str, left: Predicate, right: Predicate) -> None:
        self._word, self._left, self._right = word, left, right

    def evaluate(self, find_artifacts: FindArtifacts) -> Verdict:
        left = self._left.evaluate(find_artifacts)
        if left.holds == (self._word == "or"):
            return left
        right = self._right.evaluate(find_artifacts)
        if right.holds != left.holds:
            return right
        return Verdict(right.holds, (*left.found, *right.found))

    def channels(self) -> Iterable[BaseChannel]:
        return _channels_of((self._left, self._right))

    def __str__(self) -> str:
        sides = (self._left, self._right)
        return f" {self._word} ".join(
            f"({side})" if self._needs_brackets(side) else str(side) for side in sides
        )

    def _needs_brackets(self, side: Predicate) -> bool:
        return isinstance(side, _Combination) and side._word != self._word


def logical_not(pred: Predicate) -> Predicate:
    """The opposite of a predicate: `Cond(logical_not(blessing == 1))`."""
    return _Negation(_check_predicate("logical_not", pred))


def logical_and(left: Predicate, right: Predicate) -> Predicate:
    """Holds if both predicates hold; the second is not asked if the first does not."""
    return _Combination(
        "and", _check_predicate("logical_and", left), _check_predicate("logical_and", right)
    )


def logical_or(left: Predicate, right: Predicate) -> Predicate:
    """Holds if one of the predicates holds; the second is not asked if the first does."""
    return _Combination(
        "or", _check_predicate("logical_or", left), _check_predicate("logical_or", right)
    )


def describe_value(value: Any) -> str:
    """A value in a line of text, and only the beginning of a long one."""
    if value is None:
        return "not set"
    text = " ".join(repr(value).split())
    return text if len(text) <= _LONGEST_VALUE else f"{text[:_LONGEST_VALUE]}..."


def _check_predicate(function: str, value: Any) -> Predicate:
    if not isinstance(value, Predicate):
        raise TypeError(
            f"{function} takes predicates such as channel.future()[0].value > 0.9, got {value!r}."
        )
    return value


def _check_operand(side: object) -> None:
    if isinstance(side, Placeholder):
        if side.value_type is Artifact:
            raise TypeError(
                f"{side} is an artifact, which cannot be compared. Compare something of it: "
                ".value, .uri, .property('name') or .custom_property('name')."
            )
    elif not isinstance(side, (bool, int, float, str)):
        raise TypeError(
            "A placeholder can be compared with an int, a float, a str, a bool or another "
            f"placeholder, not with {side!r}."
        )


def _static_type(side: object) -> type | None:
    return side.value_type if isinstance(side, Placeholder) else type(side)


def _group(kind: type | None) -> tuple[type, ...]:
    """The types that values of a type can be compared with; empty for lists and dicts."""
    for group in _COMPARABLE:
        if kind is not None and issubclass(kind, group):
            return group
    return ()


def _resolved(side: object, find_artifacts: FindArtifacts) -> Any:
    return side.resolve(find_artifacts) if isinstance(side, Placeholder) else side


def _written(side: object) -> str:
    if isinstance(side, Predicate):
        return f"({side})"
    return str(side) if isinstance(side, Placeholder) else repr(side)


def _channels_of(sides: Iterable[object]) -> Iterator[BaseChannel]:
    for side in sides:
        if isinstance(side, Placeholder):
            yield from side.channels()
