"""Type hints of JSON values: which hints name one, and what fits into one."""

from __future__ import annotations

import types
import typing
from typing import Any

from trainwright.types.classes import is_class

_NONE = type(None)
_SCALARS = (bool, int, float, str, _NONE, Any)
# The attribute of channels, and of the parameters of specs, that has the hint of their JSON values.
JSON_HINT = "_JSON_COMPAT_TYPEHINT"
_UNIONS = (typing.Union, types.UnionType)


def is_json_compatible(typehint: Any) -> bool:
    """Whether a type hint names a JSON list or object, and says what is in it.

    >>> is_json_compatible(dict[str, list[float]]), is_json_compatible(list[Any] | None)
    (True, True)
    >>> is_json_compatible(dict), is_json_compatible(dict[int, str]), is_json_compatible(int)
    (False, False, False)
    """
    if typing.get_origin(typehint) in _UNIONS:
        return all(arg is _NONE or is_json_compatible(arg) for arg in typing.get_args(typehint))
    arguments = typing.get_args(typehint)
    if _kind(typehint) is dict:
        return len(arguments) == 2 and arguments[0] is str and _may_be_within(arguments[1])
    return _kind(typehint) is list and len(arguments) == 1 and _may_be_within(arguments[0])


def _may_be_within(typehint: Any) -> bool:
    if typing.get_origin(typehint) in _UNIONS:
        return all(_may_be_within(arg) for arg in typing.get_args(typehint))
    return any(typehint is scalar for scalar in _SCALARS) or is_json_compatible(typehint)


def check_strict_json_compat(in_type: Any, expect_type: Any) -> bool:
    """Whether a type hint, or else a value, fits the expected type hint.

    Types must be equal: an int is neither a float nor a bool. `Any` takes everything, but is taken
    by nothing else.

    >>> check_strict_json_compat(dict[str, int], dict[str, Any])
    True
    >>> check_strict_json_compat({"a": [1, 2.0]}, dict[str, list[int]])
    False
    """
    if _is_hint(in_type):
        return _hint_fits(in_type, expect_type)
    return _value_fits(in_type, expect_type)


def _is_hint(given: Any) -> bool:
    return given is Any or is_class(given) or typing.get_origin(given) is not None


def _kind(typehint: Any) -> Any:
    """The class that a hint is about: dict for `Dict`, `dict` and `dict[str, int]`."""
    return typing.get_origin(typehint) or typehint


def _hint_fits(hint: Any, expected: Any) -> bool:
    if hint is Any or expected is Any:
        return expected is Any
    if _kind(hint) in _UNIONS:
        return all(_hint_fits(option, expected) for option in typing.get_args(hint))
    if _kind(expected) in _UNIONS:
        return any(_hint_fits(hint, option) for option in typing.get_args(expected))
    if _kind(hint) is not _kind(expected):
        return False
    given, wanted = typing.get_args(hint), typing.get_args(expected)
    return len(given) >= len(wanted) and all(map(_hint_fits, given, wanted))


def _value_fits(value: Any, expected: Any) -> bool:
    if expected is Any:
        return True
    arguments = typing.get_args(expected)
    if _kind(expected) in _UNIONS:
        return any(_value_fits(value, option) for option in arguments)
    if type(value) is not (_NONE if expected is None else _kind(expected)):
        return False
    if isinstance(value, list) and arguments:
        return all(_value_fits(item, arguments[0]) for item in value)
    if isinstance(value, dict) and arguments:
        key_type, value_type = arguments
        return all(
            _value_fits(key, key_type) and _value_fits(item, value_type)
            for key, item in value.items()
        )
    return True
