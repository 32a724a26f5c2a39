"""The full names of classes and functions, and what a full name stands for."""

from __future__ import annotations

import functools
import importlib
from typing import Any


def get_full_name(value: Any, strict_check: bool = True) -> str:
    """The name by which a class or function can be imported.

    With `strict_check`, ValueError is raised for what cannot be imported by its name.

    >>> import collections
    >>> get_full_name(collections.OrderedDict)
    'collections.OrderedDict'
    """
    if not hasattr(value, "__module__") or not hasattr(value, "__name__"):
        raise ValueError(f"{value} does not have a name.")
    name: str = getattr(value, "__qualname__", value.__name__)
    if strict_check:
        if not _is_dotted_name(name):
            raise ValueError(
                f"{value} does not have a qualified name. Define it at the top of a module."
            )
        try:
            _nested_attribute(importlib.import_module(value.__module__), name)
        except AttributeError as error:
            raise ValueError(
                f"{value} is not importable. Its module, {value.__module__}, has no {name}."
            ) from error
    return f"{value.__module__}.{name}"


def resolve_full_name(full_name: str) -> Any:
    """What a full name stands for: a class, a function or a value of a module.

    >>> resolve_full_name("builtins.str")
    <class 'str'>
    """
    if not _is_dotted_name(full_name):
        raise ValueError(f"{full_name!r} is not a valid name.")
    segments = full_name.split(".")
    problems = []
    for length in range(len(segments) - 1, 0, -1):
        try:
            module = importlib.import_module(".".join(segments[:length]))
            return _nested_attribute(module, ".".join(segments[length:]))
        except (ImportError, AttributeError) as error:
            problems.append(str(error))
    raise ValueError(f"Cannot find {full_name}: {problems}")


def _is_dotted_name(value: object) -> bool:
    return isinstance(value, str) and all(part.isidentifier() for part in value.split("."))


def _nested_attribute(owner: Any, name: str) -> Any:
    return functools.reduce(getattr, name.split("."), owner)
