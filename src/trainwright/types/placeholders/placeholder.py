"""Placeholders: values that are known when a node runs, and predicates that compare them.

`channel.future()` begins one, and so do `input(key)`, `exec_property(key)` and the other functions
of `tfx.dsl.placeholders`. Nothing here is computed while a pipeline is declared: a run asks
`resolve` and `evaluate` once it knows the values, and `encode` writes the expression down as the
message that compiled pipelines hold.
"""

from __future__ import annotations

import abc
import operator
import os
import types
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NoReturn, Union

from google.protobuf.message import Message

from trainwright.types.artifact import Artifact
from trainwright.types.classes import is_class, is_subclass

if TYPE_CHECKING:
    from trainwright.proto.orchestration.placeholder_pb2 import PlaceholderExpression
    from trainwright.types.channel import BaseChannel

# Finds the artifacts that a channel holds in this run.
FindArtifacts = Callable[["BaseChannel"], Sequence[Artifact]]

# What a placeholder may stand for and be compared with.
ValueType = int | float | str | bool

_LONGEST_VALUE = 60
_OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
# How an operator is written as a message, which has three: the name of one, and whether the
# comparison is its opposite.
_ENCODED_OPERATIONS = {
    "==": ("EQUAL", False),
    "!=": ("EQUAL", True),
    "<": ("LESS_THAN", False),
    ">=": ("LESS_THAN", True),
    ">": ("GREATER_THAN", False),
    "<=": ("GREATER_THAN", True),
}
# Values of one group can be compared with each other.
_COMPARABLE: tuple[tuple[type, ...], ...] = ((bool, int, float), (str,), (bytes,))


def _find_nothing(channel: BaseChannel) -> Sequence[Artifact]:
    raise ValueError(f"What {channel.path} holds is not known here.")


@dataclass(frozen=True)
class KnownValues:
    """What is known when a placeholder is evaluated.

    Args:
        find_artifacts: Finds the artifacts of a channel, for `channel.future()`.
        inputs: The node's input artifacts by key, for `input(key)`.
        outputs: The node's output artifacts by key, for `output(key)`.
        exec_properties: The node's properties, for `exec_property(key)`.
        runtime_info: Messages of the runner by key, for `runtime_info(key)`.
        invocation: Makes the message of `execution_invocation()`.
        environment: The variables of `environment_variable(name)`.
    """

    find_artifacts: FindArtifacts = _find_nothing
    inputs: Mapping[str, Sequence[Artifact]] | None = None
    outputs: Mapping[str, Sequence[Artifact]] | None = None
    exec_properties: Mapping[str, Any] | None = None
    runtime_info: Mapping[str, Message] = field(default_factory=dict)
    invocation: Callable[[], Message] | None = None
    environment: Mapping[str, str] = field(default_factory=lambda: os.environ)


class Placeholder(abc.ABC):
    """Stands for a value that a run will know.

    Comparing it with `==`, `!=`, `<`, `<=`, `>` or `>=` gives a `Predicate` for `Cond`, adding a
    string gives a longer one, `[index]` a part, and an attribute of what may be a message its
    field. Its `str` is how it reads in a pipeline, without `.future()`.
    """

    # The Python type of the value; None if that is known only when the pipeline runs.
    value_type: type | None = None

    def __init__(self, expected_type: Any = None) -> None:
        if is_class(expected_type):
            self.value_type = expected_type

    @property
    def expected_type(self) -> Any:
        """The Python type of the value, or a union of types; None if nothing is known of it."""
        return self.value_type

    @abc.abstractmethod
    def resolve(self, known: KnownValues) -> Any:
        """The value in this run; raises ValueError that says what is missing."""

    @abc.abstractmethod
    def encode(self, component_spec: Any = None) -> PlaceholderExpression:
        """The message that compiled pipelines hold.

        Args:
            component_spec: The spec class of the component that uses the placeholder. It says
                which message an execution property is, so that the result can describe it.
        """

    @abc.abstractmethod
    def __str__(self) -> str: ...

    def parts(self) -> Iterable[object]:
        """What the placeholder is made of: placeholders, and constants among them."""
        return ()

    def traverse(self) -> Iterator[Placeholder]:
        """This placeholder and those that it is made of."""
        yield self
        for part in self.parts():
            if isinstance(part, Placeholder):
                yield from part.traverse()

    def channels(self) -> Iterable[BaseChannel]:
        """The channels whose artifacts are looked at."""
        for part in self.parts():
            if isinstance(part, Placeholder):
                yield from part.channels()

    def may_be_message(self) -> bool:
        """Whether the value may be a protobuf message, whose fields can be asked for."""
        return _may_be(self.expected_type, Message)

    def b64encode(self, url_safe: bool = True) -> Placeholder:
        """The string or bytes in base64."""
        from trainwright.types.placeholders.placeholder_operators import Base64

        return Base64(self, url_safe)

    def serialize(self, serialization_format: Any) -> Placeholder:
        """The message as text or bytes, in a `ProtoSerializationFormat`."""
        from trainwright.types.placeholders.placeholder_operators import MessageField

        return MessageField(self, (), serialization_format)

    def serialize_list(self, serialization_format: Any) -> Placeholder:
        """The list as a string, in a `ListSerializationFormat`."""
        from trainwright.types.placeholders.placeholder_operators import SerializedList

        return SerializedList(self, serialization_format)

    def __getitem__(self, key: str | int) -> Placeholder:
        from trainwright.types.placeholders.placeholder_operators import Index, MessageField

        if isinstance(key, str) and self.may_be_message():
            return MessageField(self, (f"[{key!r}]",))
        return Index(self, key)

    def __getattr__(self, name: str) -> Any:
        # Called for what is not an attribute. Private names are never fields: without this,
        # copying or unpickling a half-made object, which cannot be written yet, would not end.
        if name.startswith("_"):
            raise AttributeError(name)
        if not self.may_be_message():
            raise AttributeError(f"{type(self).__name__} {self!s} has no attribute {name!r}.")
        from trainwright.types.placeholders.placeholder_operators import MessageField

        return MessageField(self, (f".{name}",))

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

    def __add__(self, right: Any) -> Placeholder:
        from trainwright.types.placeholders.placeholder_operators import Concatenation

        return Concatenation((self, right))

    def __radd__(self, left: Any) -> Placeholder:
        from trainwright.types.placeholders.placeholder_operators import Concatenation

        return Concatenation((left, self))

    def __bool__(self) -> NoReturn:
        raise TypeError(
            f"{self} is not known before the pipeline runs, so Python cannot ask whether it is "
            "true: `if`, `and`, `or`, `not`, `in` and a < b < c do not work with it. Use "
            "`with Cond(...):` for what depends on it, and logical_and, logical_or and logical_not "
            "to combine conditions."
        )

    def __iter__(self) -> NoReturn:
        raise RuntimeError(
            "Iterating over a placeholder is not supported. Did you miss the ending `,` in your "
            f"tuple? {self} is not known before the pipeline runs."
        )

    def __deepcopy__(self, memo: dict[int, Any]) -> Placeholder:
        return self  # its channels must stay those of the pipeline


# A value that is known, or one that will be.
ValueLikeType = int | float | str | bool | Placeholder


@dataclass(frozen=True)
class PredicateResult:
    """Whether a predicate holds, and the values that decided it, by how they are written."""

    holds: bool
    found: tuple[tuple[str, Any], ...] = ()


class Predicate(Placeholder):
    """A question about placeholders that a run answers with yes or no; what `Cond` takes."""

    value_type = bool

    @abc.abstractmethod
    def evaluate(self, known: KnownValues) -> PredicateResult:
        """The answer in this run; raises ValueError if there is none."""

    def describe_failure(self, result: PredicateResult) -> str:
        """Why the predicate does not hold, in words."""
        values = [f"{text} is {describe_value(value)}" for text, value in result.found]
        return f"{self} does not hold ({', '.join(dict.fromkeys(values))})"

    def resolve(self, known: KnownValues) -> bool:
        return self.evaluate(known).holds

    def __repr__(self) -> str:
        return f"<predicate {self}>"

    def __add__(self, right: Any) -> NoReturn:
        raise NotImplementedError(f"{self} is a predicate: nothing can be added to it.")

    def __radd__(self, left: Any) -> NoReturn:
        raise NotImplementedError(f"{self} is a predicate: it cannot be added to anything.")

    def b64encode(self, url_safe: bool = True) -> NoReturn:
        raise NotImplementedError(f"{self} is a predicate: only strings and bytes have a base64.")


class _Comparison(Predicate):
    """Two values and an operator between them."""

    def __init__(self, symbol: str, left: object, right: object) -> None:
        for side in (left, right):
            _check_operand(side)
        self._symbol, self._left, self._right = symbol, left, right
        kinds = [_static_type(side) for side in (left, right)]
        if None not in kinds and _group(kinds[0]) != _group(kinds[1]):
            names = " with ".join(kind.__name__ for kind in kinds if kind is not None)
            raise TypeError(f"{self} would compare {names}, which is never equal, less or greater.")

    def evaluate(self, known: KnownValues) -> PredicateResult:
        left, right = (resolve_part(side, known) for side in (self._left, self._right))
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
            self._refuse(
                found, f"{describe_value(left)} and {describe_value(right)} cannot be compared"
            )
        return PredicateResult(bool(_OPERATIONS[self._symbol](left, right)), found)

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

    def describe_failure(self, result: PredicateResult) -> str:
        if len(result.found) != 1:
            return super().describe_failure(result)
        return f"{self} does not hold (it is {describe_value(result.found[0][1])})"

    def parts(self) -> Iterable[object]:
        return (self._left, self._right)

    def encode(self, component_spec: Any = None) -> PlaceholderExpression:
        expression, is_opposite = self.encode_positive(component_spec)
        return negated(expression) if is_opposite else expression

    def encode_positive(self, component_spec: Any) -> tuple[PlaceholderExpression, bool]:
        """The comparison by one of the operators that there are, and whether it is the opposite."""
        name, is_opposite = _ENCODED_OPERATIONS[self._symbol]
        expression = new_expression()
        compare: Any = expression.operator.compare_op
        compare.op = compare.Operation.Value(name)
        compare.lhs.CopyFrom(encode_value_like(self._left, component_spec))
        compare.rhs.CopyFrom(encode_value_like(self._right, component_spec))
        return expression, is_opposite

    def __str__(self) -> str:
        return f"{written(self._left)} {self._symbol} {written(self._right)}"


class _Negation(Predicate):
    def __init__(self, predicate: Predicate) -> None:
        self._predicate = predicate

    def evaluate(self, known: KnownValues) -> PredicateResult:
        result = self._predicate.evaluate(known)
        return PredicateResult(not result.holds, result.found)

    def parts(self) -> Iterable[object]:
        return (self._predicate,)

    def encode(self, component_spec: Any = None) -> PlaceholderExpression:
        inner = self._predicate
        if isinstance(inner, _Negation):
            return inner._predicate.encode(component_spec)
        if isinstance(inner, _Comparison):
            expression, is_opposite = inner.encode_positive(component_spec)
            return expression if is_opposite else negated(expression)
        return negated(inner.encode(component_spec))

    def __str__(self) -> str:
        return f"not ({self._predicate})"


class _Combination(Predicate):
    """Two predicates with `and` or `or` between them; the second is asked only if it counts."""

    def __init__(self, word: str, left: Predicate, right: Predicate) -> None:
        self._word, self._left, self._right = word, left, right

    def evaluate(self, known: KnownValues) -> PredicateResult:
        left = self._left.evaluate(known)
        if left.holds == (self._word == "or"):
            return left
        right = self._right.evaluate(known)
        if right.holds != left.holds:
            return right
        return PredicateResult(right.holds, (*left.found, *right.found))

    def parts(self) -> Iterable[object]:
        return (self._left, self._right)

    def encode(self, component_spec: Any = None) -> PlaceholderExpression:
        expression = new_expression()
        logical: Any = expression.operator.binary_logical_op
        logical.op = logical.Operation.Value(self._word.upper())
        logical.lhs.CopyFrom(self._left.encode(component_spec))
        logical.rhs.CopyFrom(self._right.encode(component_spec))
        return expression

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


def resolve_part(part: object, known: KnownValues) -> Any:
    """The value of what may be a placeholder or a constant."""
    return part.resolve(known) if isinstance(part, Placeholder) else part


def written(part: object) -> str:
    """How what may be a placeholder or a constant reads in an expression."""
    if isinstance(part, Predicate):
        return f"({part})"
    return str(part) if isinstance(part, Placeholder) else repr(part)


def new_expression() -> PlaceholderExpression:
    """An empty message; its class is imported here, because few programs encode placeholders."""
    from trainwright.proto.orchestration import placeholder_pb2

    return placeholder_pb2.PlaceholderExpression()


def encode_value_like(x: Any, component_spec: Any = None) -> PlaceholderExpression:
    """The message for a placeholder or a constant."""
    if isinstance(x, Placeholder):
        return x.encode(component_spec)
    expression = new_expression()
    if isinstance(x, bool):
        expression.value.bool_value = x
    elif isinstance(x, int):
        expression.value.int_value = x
    elif isinstance(x, float):
        expression.value.double_value = x
    elif isinstance(x, str):
        expression.value.string_value = x
    else:
        raise ValueError(f"x must be an int, float, str, or Placeholder. x: {x}")
    return expression


def negated(inner: PlaceholderExpression) -> PlaceholderExpression:
    expression = new_expression()
    logical: Any = expression.operator.unary_logical_op
    logical.op = logical.Operation.Value("NOT")
    logical.expression.CopyFrom(inner)
    return expression


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


def _may_be(expected: Any, kind: type) -> bool:
    """Whether a value of an expected type, which may be a union or unknown, may be of a kind."""
    if expected is None:
        return True
    if typing.get_origin(expected) in (types.UnionType, Union):
        return any(_may_be(option, kind) for option in typing.get_args(expected))
    return is_subclass(expected, kind)


def _group(kind: type | None) -> tuple[type, ...]:
    """The types that values of a type can be compared with; empty for lists and dicts."""
    for group in _COMPARABLE:
        if kind is not None and issubclass(kind, group):
            return group
    return ()
