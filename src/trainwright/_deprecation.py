"""Deprecated functions and class names: they work, and say once what to use instead.

The warnings are `TfxDeprecationWarning`, so that a program can filter them apart from others.
"""

from __future__ import annotations

import functools
import sys
import warnings
from collections.abc import Callable
from typing import Any, TypeVar

Decorated = TypeVar("Decorated", bound=Callable[..., Any])

# In the namespace of a class that is only another name of its base.
_ALIAS_MARK = "_TFX_DEPRECATED_CLASS"


class TfxDeprecationWarning(DeprecationWarning):
    """Something of TFX's API that is still here for old programs."""


def warn_deprecated(msg: str) -> None:
    """Warns that something is deprecated."""
    warnings.warn(msg, TfxDeprecationWarning, stacklevel=3)


def deprecated(
    date: str | None, instructions: str, warn_once: bool = True
) -> Callable[[Decorated], Decorated]:
    """Decorates a function or method that is to be replaced in callers' code.

    Args:
        date: When it goes; None if that is not known.
        instructions: What to do instead.
        warn_once: Warn at the first call only.

    Raises ValueError if something else than a callable is decorated.
    """
    removal = f"after {date}" if date else "in a future version"

    def decorate(func: Decorated) -> Decorated:
        _check_callable(func)
        name = getattr(func, "__qualname__", func.__name__)
        decorated: Decorated = _warning_call(
            func,
            f"{name} (from {func.__module__}) is deprecated and will be removed {removal}. "
            f"Instructions for updating:\n{instructions}",
            warn_once,
        )
        return decorated

    return decorate


def deprecated_alias(
    deprecated_name: str, name: str, func_or_class: Any, warn_once: bool = True
) -> Any:
    """The function or class under an old name, which warns when it is used.

    A class becomes a subclass of itself, so that instances of the old name are instances of the
    new one; `get_first_nondeprecated_class` finds the way back.
    """
    notice = f"The name {deprecated_name} is deprecated. Please use {name} instead."
    if not isinstance(func_or_class, type):
        _check_callable(func_or_class)
        return _warning_call(func_or_class, notice, warn_once)
    return type(func_or_class)(
        "_NewDeprecatedClass",
        (func_or_class,),
        {
            "__doc__": _alias_docstring(name, func_or_class),
            "__module__": sys._getframe(1).f_globals.get("__name__", func_or_class.__module__),
            "__init__": _warning_init(func_or_class, notice, warn_once),
            _ALIAS_MARK: True,
        },
    )


def get_first_nondeprecated_class(cls: type) -> type:
    """The class itself, or the one that a deprecated alias stands for."""
    return next(known for known in cls.__mro__ if _ALIAS_MARK not in vars(known))


def _warning_init(cls: Any, notice: str, warn_once: bool) -> Any:
    call = _warning_call(cls.__init__, notice, warn_once, depth=2)

    @functools.wraps(cls.__init__)
    def init(self: Any, *args: Any, **kwargs: Any) -> None:
        call(self, *args, **kwargs)

    return init


def _warning_call(func: Any, notice: str, warn_once: bool, depth: int = 1) -> Any:
    has_warned = False

    @functools.wraps(func)
    def call(*args: Any, **kwargs: Any) -> Any:
        nonlocal has_warned
        if not (has_warned and warn_once):
            has_warned = True
            caller = sys._getframe(depth)
            warn_deprecated(f"From {caller.f_code.co_filename}:{caller.f_lineno}: {notice}")
        return func(*args, **kwargs)

    return call


def _check_callable(func: object) -> None:
    if not callable(func):
        raise ValueError(
            f"{func} passed to is not a function for deprecation. Decorate a function, a method "
            "or a class."
        )


def _alias_docstring(new_name: str, cls: type) -> str:
    first, _, rest = (cls.__doc__ or "DEPRECATED CLASS").partition("\n")
    summary = f"{first} (deprecated)" if cls.__doc__ else first
    notice = (
        "Warning: THIS CLASS IS DEPRECATED. It will be removed in a future version.\n"
        f"Please use {new_name} instead."
    )
    return "\n\n".join(part for part in (summary, notice, rest.strip()) if part)
