"""How the modules of this package get their names, and refuse those of TFX that they lack."""

from __future__ import annotations

import opcode
import sys
from collections.abc import Callable, Collection, Mapping
from types import FrameType
from typing import Any

from trainwright._lazy import lazy_names
from trainwright._version import __version__


def lazy_tfx_names(
    module: str, names: Mapping[str, str], missing: Collection[str] = ()
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """`__getattr__`, `__dir__` and `__all__` for a module whose names are imported when used.

    Args:
        module: The module's `__name__`.
        names: Where each name comes from: `"module:attribute"`, or `"module"` for a module.
        missing: Names that TFX's module has and this one does not have yet.
    """
    get_known, list_names, public = lazy_names(module, names)

    def getattribute(name: str) -> Any:
        if name in missing:
            raise _not_yet(module, name, sys._getframe(1))
        return get_known(name)

    return getattribute, list_names, public


def missing_names(module: str, missing: Collection[str]) -> Callable[[str], Any]:
    """`__getattr__` for a module that only lacks names."""
    return lazy_tfx_names(module, {}, missing)[0]


def _not_yet(module: str, name: str, asking: FrameType) -> Exception:
    message = f"{module}.{name} is part of TFX's API but not of Trainwright {__version__} yet"
    # `from module import name` would replace an AttributeError, and its message, by its own.
    instruction = opcode.opname[asking.f_code.co_code[asking.f_lasti]]
    if instruction == "IMPORT_FROM":
        return ImportError(message, name=module)
    return AttributeError(message)
