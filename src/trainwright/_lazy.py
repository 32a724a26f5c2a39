"""Lazy names: a package lists what it offers and imports each only when it is used."""

from __future__ import annotations

import importlib
import opcode
import sys
from collections.abc import Callable, Collection, Mapping
from operator import attrgetter
from types import FrameType
from typing import Any


def lazy_names(
    package: str,
    names: Mapping[str, Collection[str]],
    *,
    public_modules: Collection[str] = (),
    other_modules: Collection[str] = (),
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """`__getattr__`, `__dir__` and `__all__` for a package.

    Args:
        package: The package's `__name__`.
        names: For each module that names come from, the names: "name" or "name as other_name".
        public_modules: Submodules that `__all__` lists.
        other_modules: Submodules that are attributes of the package, too.

    Example: `__getattr__, __dir__, __all__ = lazy_names(__name__, {"pkg.mod": ("Trainer",)})`
    """
    sources = name_sources(package, names, (*public_modules, *other_modules))

    def getattribute(name: str) -> Any:
        if name not in sources:
            raise _unknown_name(package, name, sys._getframe(1), sources)
        return load_name(package, name, sources[name])

    public = sorted(set(sources) - set(other_modules))
    return getattribute, lambda: sorted(sources), public


# The module that a name comes from, and its name there; none for a module.
Source = tuple[str, str | None]


def name_sources(
    package: str, names: Mapping[str, Collection[str]], modules: Collection[str]
) -> dict[str, Source]:
    """Where each name of a package comes from."""
    sources: dict[str, Source] = {name: (f"{package}.{name}", None) for name in modules}
    for source, entries in names.items():
        for entry in entries:
            name, _, other = entry.partition(" as ")
            sources[other or name] = (source, name)
    return sources


def load_name(package: str, name: str, source: Source) -> Any:
    """Imports what a name stands for, and makes it an attribute of the package."""
    module_name, attribute = source
    module = importlib.import_module(module_name)
    value = module if attribute is None else attrgetter(attribute)(module)
    setattr(sys.modules[package], name, value)
    return value


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


def _unknown_name(package: str, name: str, asking: FrameType, known: Collection[str]) -> Exception:
    problem = f"module {package!r} has no attribute {name!r}"
    if is_asked_by_python(package, name, asking):
        return AttributeError(problem)
    from trainwright._suggest import did_you_mean  # with difflib, which few will need

    return missing_name_error(f"{problem}{did_you_mean(name, known)}", package, name, asking)
