"""Lazy names for the modules of this package, and errors for those of TFX that they lack."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Mapping
from types import FrameType
from typing import Any

from tfx._missing_names import MISSING_NAMES
from trainwright._lazy import is_asked_by_python, load_name, missing_name_error, name_sources
from trainwright._version import __version__


def lazy_tfx_names(
    module: str,
    names: Mapping[str, Collection[str]],
    *,
    public_modules: Collection[str] = (),
    other_modules: Collection[str] = (),
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """`lazy_names` that knows which other names are TFX's.

    Args:
        module: The module's `__name__`.
        names: For each module that names come from, the names: "name" or "name as other_name".
        public_modules: Submodules that `__all__` lists.
        other_modules: Submodules that are attributes, too.
    """
    sources = name_sources(module, names, (*public_modules, *other_modules))

    def getattribute(name: str) -> Any:
        if name not in sources:
            raise refusal(module, name, sys._getframe(1), known=sources)
        return load_name(module, name, sources[name])

    public = sorted(set(sources) - set(other_modules))
    return getattribute, lambda: sorted(sources), public


def missing_names(module: str) -> Callable[[str], Any]:
    """`__getattr__` for a module whose names are all there."""

    def getattribute(name: str) -> Any:
        known = [own for own in vars(sys.modules[module]) if not own.startswith("_")]
        raise refusal(module, name, sys._getframe(1), known=known)

    return getattribute


def refusal(module: str, name: str, asking: FrameType, *, known: Collection[str] = ()) -> Exception:
    """The error for a name that a module lacks; `asking` is the frame that asked for it."""
    full_name = f"{module}.{name}"
    if is_asked_by_python(module, name, asking):
        return AttributeError(f"module {module!r} has no attribute {name!r}")
    if full_name in MISSING_NAMES:
        message = not_here_yet(full_name)
    else:
        from trainwright._suggest import did_you_mean  # with difflib, which few will need

        message = not_known(full_name, did_you_mean(name, known) if known else ".")
    return missing_name_error(message, module, name, asking)


def not_here_yet(name: str) -> str:
    """What is said of a name or a module of TFX that is not here."""
    return (
        f"{name} is part of TFX's API but not of Trainwright {__version__} yet. "
        f"{MISSING_NAMES[name]}"
    )


def not_known(name: str, guess: str = ".") -> str:
    """What is said of a name or a module that neither we nor TFX, as far as we know it, have."""
    return (
        f"{name} is not part of Trainwright {__version__}, nor of TFX's API as Trainwright knows "
        f"it{guess}"
    )
