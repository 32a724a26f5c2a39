"""Values against type hints: `isinstance` for what can be written in an annotation."""

from __future__ import annotations

import collections.abc
import types
import typing
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, TypeGuard, TypeVar, Union

from google.protobuf.internal.enum_type_wrapper import EnumTypeWrapper

from trainwright.types.artifact import Artifact
from trainwright.types.classes import is_class

T = TypeVar("T")

_UNIONS = (Union, types.UnionType)
_COLLECTIONS = (
    list,
    set,
    frozenset,
    collections.abc.Iterable,
    collections.abc.Sequence,
    collections.abc.MutableSequence,
    collections.abc.Collection,
    collections.abc.Container,
)
_MAPPINGS = (dict, collections.abc.Mapping, collections.abc.MutableMapping)


def is_compatible(value: Any, tp: Any) -> bool:
    """Whether a value fits a type hint.

    Looks into lists, dicts, tuples, unions, literals and typed dicts. A string is not taken for
    a sequence of strings: where one is expected, it is almost always a mistake.

    Raises NotImplementedError for hints that say nothing about a single value, such as a TypeVar.

    >>> is_compatible({"a": [1, 2]}, dict[str, list[int]])
    True
    >>> is_compatible("abc", list[str] | None)
    False
    """
    if tp is Any:
        return True
    if tp is None or tp is type(None):
        return value is None
    if isinstance(tp, EnumTypeWrapper):
        return value in tp.values()
    origin, arguments = typing.get_origin(tp), typing.get_args(tp)
    if origin is not None:
        return _fits_generic(value, tp, origin, arguments)
    if is_class(tp):
        if issubclass(tp, dict) and hasattr(tp, "__required_keys__"):
            return _fits_typed_dict(value, tp)
        return isinstance(value, tp)
    raise NotImplementedError(f"Unsupported type {tp}.")


def _fits_generic(value: Any, tp: Any, origin: Any, arguments: tuple[Any, ...]) -> bool:
    if origin in _UNIONS:
        return any(is_compatible(value, argument) for argument in arguments)
    if origin is type:
        return isinstance(value, type) and (not arguments or _is_subclass(value, arguments[0]))
    if origin in _COLLECTIONS:
        return isinstance(value, origin) and (not arguments or _fits_items(value, arguments[0]))
    if origin is tuple:
        return isinstance(value, tuple) and (not arguments or _fits_tuple(value, arguments))
    if origin in _MAPPINGS:
        return isinstance(value, origin) and (not arguments or _fits_mapping(value, *arguments))
    if origin is Literal:
        return value in arguments
    # Required and NotRequired are in typing from Python 3.11 on, in typing_extensions before.
    if origin is Annotated or getattr(origin, "_name", "") in ("Required", "NotRequired"):
        return is_compatible(value, arguments[0])
    raise NotImplementedError(f"Type {tp} with unsupported origin type {origin}.")


def _is_subclass(cls: type, expected: Any) -> bool:
    if expected is Any:
        return True
    if typing.get_origin(expected) in _UNIONS:
        return any(_is_subclass(cls, argument) for argument in typing.get_args(expected))
    return issubclass(cls, expected)


def _fits_items(value: Any, item_type: Any) -> bool:
    if item_type is str and isinstance(value, str):
        return False
    return all(is_compatible(item, item_type) for item in value)


def _fits_tuple(value: tuple[Any, ...], types_of_items: tuple[Any, ...]) -> bool:
    if len(types_of_items) == 2 and types_of_items[1] is Ellipsis:
        return all(is_compatible(item, types_of_items[0]) for item in value)
    return len(value) == len(types_of_items) and all(map(is_compatible, value, types_of_items))


def _fits_mapping(value: Mapping[Any, Any], key_type: Any, item_type: Any) -> bool:
    return all(
        is_compatible(key, key_type) and is_compatible(item, item_type)
        for key, item in value.items()
    )


def _fits_typed_dict(value: Any, tp: Any) -> bool:
    if not isinstance(value, dict):
        return False
    hints = typing.get_type_hints(tp)
    return (
        all(key in value for key in tp.__required_keys__)
        and all(key in hints for key in value)
        and all(is_compatible(item, hints[key]) for key, item in value.items())
    )


def maybe_unwrap_optional(type_hint: Any) -> tuple[bool, Any]:
    """Whether a hint is `Optional[X]`, and X if so; otherwise the hint itself.

    >>> maybe_unwrap_optional(int | None)
    (True, <class 'int'>)
    """
    if typing.get_origin(type_hint) in _UNIONS:
        arguments = typing.get_args(type_hint)
        others = [argument for argument in arguments if argument is not type(None)]
        if len(others) == 1 and len(arguments) == 2:
            return True, others[0]
    return False, type_hint


def is_artifact_list(value: Any) -> TypeGuard[Sequence[Artifact]]:
    """Whether this is a sequence of artifacts."""
    return is_compatible(value, Sequence[Artifact])


def is_homogeneous_artifact_list(value: Any) -> TypeGuard[Sequence[Artifact]]:
    """Whether this is a sequence of artifacts whose types are all that of the first one."""
    return is_artifact_list(value) and all(isinstance(item, type(value[0])) for item in value)


def is_artifact_multimap(value: Any) -> TypeGuard[Mapping[str, Sequence[Artifact]]]:
    """Whether this is a mapping of keys to artifacts, as a node's inputs are."""
    return is_compatible(value, Mapping[str, Sequence[Artifact]])


def is_list_of_artifact_multimap(
    value: Any,
) -> TypeGuard[Sequence[Mapping[str, Sequence[Artifact]]]]:
    """Whether this is a sequence of such mappings."""
    return is_compatible(value, Sequence[Mapping[str, Sequence[Artifact]]])
