"""How the modules of this package get their names, and refuse those of TFX that they lack."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Mapping
from types import FrameType
from typing import Any

from tfx._replacements import what_instead
from trainwright._lazy import is_asked_by_python, lazy_names, missing_name_error
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
        if name in names:
            return get_known(name)
        raise refusal(module, name, sys._getframe(1), missing=missing, known=names)

    return getattribute, list_names, public


def missing_names(module: str, missing: Collection[str] = ()) -> Callable[[str], Any]:
    """`__getattr__` for a module that only lacks names."""

    def getattribute(name: str) -> Any:
        known = [own for own in vars(sys.modules[module]) if not own.startswith("_")]
        raise refusal(module, name, sys._getframe(1), missing=missing, known=known)

    return getattribute


def refusal(
    module: str,
    name: str,
    asking: FrameType,
    *,
    missing: Collection[str] = (),
    known: Collection[str] = (),
) -> Exception:
    """The error for a name that a module lacks; `asking` is the frame that asked for it."""
    full_name = f"{module}.{name}"
    if is_asked_by_python(module, name, asking):
        return AttributeError(f"module {module!r} has no attribute {name!r}")
    if name in missing:
        message = not_here_yet(full_name)
    else:
        from trainwright._suggest import did_you_mean  # with difflib, which few will need

        message = not_known(full_name, did_you_mean(name, known) if known else ".")
    return missing_name_error(message, module, name, asking)


def not_here_yet(name: str) -> str:
    """What is said of a name or a module of TFX that is not here."""
    return (
        f"{name} is part of TFX's API but not of Trainwright {__version__} yet. "
        f"{what_instead(name)}"
    )


def not_known(name: str, guess: str = ".") -> str:
    """What is said of a name or a module that neither we nor TFX, as far as we know it, have."""
    return (
        f"{name} is not part of Trainwright {__version__}, nor of TFX's API as Trainwright knows "
        f"it{guess}"
    )
