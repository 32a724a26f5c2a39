"""Adapting what a library needs, or the library itself, when it is imported; not before."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import sys
from collections.abc import Callable, Sequence
from types import ModuleType


def after_import(name: str, action: Callable[[ModuleType], None]) -> None:
    """Calls the action with the module: now if it is loaded, else right after its import."""
    loaded = sys.modules.get(name)
    if loaded is not None:
        action(loaded)
    else:
        sys.meta_path.insert(0, _WatchedImport(name, after=action))


def before_import(name: str, action: Callable[[], None]) -> None:
    """Calls the action right before the module is imported; never if it is loaded already."""
    if name not in sys.modules:
        sys.meta_path.insert(0, _WatchedImport(name, before=action))


class _WatchedImport(importlib.abc.MetaPathFinder):
    """Lets an import happen as usual, and calls an action before or after it."""

    def __init__(
        self,
        name: str,
        before: Callable[[], None] = lambda: None,
        after: Callable[[ModuleType], None] = lambda module: None,
    ) -> None:
        self._name = name
        self._before = before
        self._after = after
        self._is_looking = False

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != self._name or self._is_looking:
            return None
        self._is_looking = True
        try:
            spec = importlib.util.find_spec(fullname)
        finally:
            self._is_looking = False
        if spec is not None and spec.loader is not None:
            execute = spec.loader.exec_module

            def exec_module(module: ModuleType) -> None:
                # Not earlier: who only asks whether there is such a module, as TensorFlow does of
                # both Keras, does not import it yet.
                self._before()
                execute(module)
                sys.meta_path.remove(self)
                self._after(module)

            spec.loader.exec_module = exec_module  # type: ignore[method-assign]
        return spec
