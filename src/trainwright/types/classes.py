"""Class checks that hold for type hints: on Python 3.10 `list[int]` is an instance of type."""

from __future__ import annotations

from types import GenericAlias
from typing import Any, TypeGuard


def is_class(value: Any) -> TypeGuard[type[Any]]:
    """Whether a value is a class, and not a type hint such as `list[int]`."""
    return isinstance(value, type) and not isinstance(value, GenericAlias)


def is_subclass(value: Any, base: Any) -> TypeGuard[type[Any]]:
    """Whether a value is a class below another; of no other value.

    >>> is_subclass(bool, int), is_subclass(list[int], list), is_subclass("bool", int)
    (True, False, False)
    """
    return is_class(value) and issubclass(value, base)
