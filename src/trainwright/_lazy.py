"""Lazy names: a package lists what it offers and imports each only when it is used."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Mapping
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
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module_name, _, attribute = source.partition(":")
        module = importlib.import_module(module_name)
        value = getattr(module, attribute) if attribute else module
        setattr(sys.modules[package], name, value)
        return value

    return getattribute, lambda: sorted(names), sorted(names)
