"""Type checks of the settings that users write, with one wording.

A message says what was received, what was expected and, where there is one, the usual fix:
"features is 'hour': expected a list of strings. Write features=['hour']."
"""

from __future__ import annotations

import numbers
from collections.abc import Iterable
from typing import Any, TypeGuard


def mismatch(name: str, value: object, expected: str, fix: str = "") -> str:
    """The message of an error about a setting.

    >>> mismatch("max_parallel", 0, "1 or more", "Leave it out for one per core.")
    'max_parallel is 0: expected 1 or more. Leave it out for one per core.'
    """
    return f"{name} is {value!r}: expected {expected}.{fix and ' '}{fix}"


def is_integer(value: object) -> TypeGuard[int]:
    """Whether a value is an integer, NumPy's included; True and False are not."""
    return isinstance(value, numbers.Integral) and not isinstance(value, bool)


def is_number(value: object) -> TypeGuard[float]:
    """Whether a value is a real number, NumPy's included; True and False are not."""
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def check_string(name: str, value: object) -> str:
    """The value; raises TypeError unless it is a string."""
    if not isinstance(value, str):
        raise TypeError(mismatch(name, value, "a string"))
    return value


def check_bool(name: str, value: object) -> bool:
    """The value; raises TypeError unless it is True or False."""
    if not isinstance(value, bool):
        raise TypeError(mismatch(name, value, "True or False"))
    return value


def check_number(name: str, value: object, *, least: float | None = None) -> float:
    """The value; raises TypeError unless it is a number, ValueError if it is too small or NaN."""
    if not is_number(value):
        raise TypeError(mismatch(name, value, "a number"))
    if least is not None and not value >= least:
        raise ValueError(mismatch(name, value, f"{least} or more"))
    return value


def check_integer(name: str, value: object, *, least: int) -> int:
    """The value; raises TypeError unless it is an integer, ValueError if it is too small."""
    if not is_integer(value):
        raise TypeError(mismatch(name, value, f"an integer, {least} or more"))
    if value < least:
        raise ValueError(mismatch(name, value, f"{least} or more"))
    return value


def check_strings(
    name: str, value: Any, items: str = "strings", error: type[Exception] = TypeError
) -> list[str]:
    """The strings as a list; raises `error` unless the value is an iterable of strings.

    A single string is an iterable of its letters, which nobody means.

    >>> check_strings("features", ("hour", "day"))
    ['hour', 'day']
    """
    if isinstance(value, str):
        raise error(mismatch(name, value, f"a list of {items}", f"Write {name}=[{value!r}]."))
    is_listing = isinstance(value, Iterable) and not isinstance(value, bytes)
    listed: list[Any] = list(value) if is_listing else [None]
    if not all(isinstance(item, str) for item in listed):
        raise error(mismatch(name, value, f"a list of {items}"))
    return listed
