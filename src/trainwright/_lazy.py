"""Lazy names: a package lists what it offers and imports each only when it is used."""

from __future__ import annotations

import importlib
import opcode
import sys
from collections.abc import Callable, Mapping
from types import FrameType
from typing import Any


def lazy_names(
    package: str, names: Mapping[str, str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """`__getattr__`, `__dir__` and `__all__` for a package.

    Args:
        package: The package's `__name__`.
        names: Where each name comes from: `"module:attribute"`, or `"module"` for a module.

    Example: `__getattr__, __dir__, __all__ = lazy_names(__name__, {"Trainer": "pkg.mod:Trainer"})`
    """

    def getattribute(name: str) -> Any:
        source = names.get(name)
        if source is None:
            raise _unknown_name(package, name, sys._getframe(1), names)
        module_name, _, attribute = source.partition(":")
        module = importlib.import_module(module_name)
        value = getattr(module, attribute) if attribute else module
        setattr(sys.modules[package], name, value)
        return value

    return getattribute, lambda: sorted(names), sorted(names)


def is_asked_by_python(package: str, name: str, asking: FrameType) -> bool:
    """Whether Python itself looks for a name: it does before it imports a module of that name, and
    takes one that is being imported from sys.modules."""
    is_import = asking.f_code.co_filename == "<frozen importlib._bootstrap>"
    return is_import or name.startswith("__") or f"{package}.{name}" in sys.modules


def missing_name_error(message: str, package: str, name: str, asking: FrameType) -> Exception:
    """The error for a name that a module lacks; `asking` is the frame that asked for it."""
    # `from module import name` would replace an AttributeError, and its message, by its own.
    instruction = opcode.opname[asking.f_code.co_code[asking.f_lasti]]
    if instruction == "IMPORT_FROM":
        return ImportError(message, name=package)
    # With a name but no object Python does not add a guess of its own to ours.
    return AttributeError(message, name=name)


def _unknown_name(
    package: str, name: str, asking: FrameType, known: Mapping[str, str]
) -> Exception:
    problem = f"module {package!r} has no attribute {name!r}"
    if is_asked_by_python(package, name, asking):
        return AttributeError(problem)
    from trainwright._suggest import did_you_mean  # with difflib, which few will need

    return missing_name_error(f"{problem}{did_you_mean(name, known)}", package, name, asking)
