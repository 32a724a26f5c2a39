"""Classes by their path, and functions out of modules and source files."""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from trainwright._imports import load_object
from trainwright.dsl.io import io_utils

# Reentrant: a module that is being loaded may load another one.
_loading = threading.RLock()


def import_class_by_path(class_path: str) -> type[Any]:
    """The class at a dotted path.

    >>> import_class_by_path("collections.OrderedDict")
    <class 'collections.OrderedDict'>
    """
    try:
        cls: type[Any] = load_object(class_path)
    except Exception as error:
        raise ImportError(f"Could not import {class_path}: {error}") from error
    return cls


def import_func_from_module(module_path: str, fn_name: str) -> Callable[..., Any]:
    """A function out of a module, which is loaded again if it was imported before.

    `MODULE@WHEEL` names a module inside a wheel.
    """
    module_name, _, wheel = module_path.partition("@")
    with _loading, _on_path(io_utils.ensure_local(wheel) if wheel else None):
        if module_name in sys.modules:
            importlib.reload(sys.modules[module_name])
        try:
            module = importlib.import_module(module_name)
        except ImportError as error:
            raise ImportError(
                f"Could not import requested module path {module_path!r}: {error}"
            ) from error
    function: Callable[..., Any] = getattr(module, fn_name)
    return function


@contextmanager
def _on_path(entry: str | None) -> Iterator[None]:
    if entry is None:
        yield
        return
    # A wheel of Python files is a zip archive, which Python imports from as it is.
    sys.path.insert(0, entry)
    try:
        yield
    finally:
        sys.path.remove(entry)


def import_func_from_source(source_path: str, fn_name: str) -> Callable[..., Any]:
    """A function out of a source file, which is read again each time."""
    source_path = io_utils.ensure_local(source_path)
    with _loading:
        name = _tfx_module_finder.get_module_name_by_path(source_path)
        if name is None:
            module = _load_first(source_path, fn_name)
        else:
            module = importlib.reload(sys.modules[name])
    function: Callable[..., Any] = getattr(module, fn_name)
    return function


def _load_first(source_path: str, fn_name: str) -> ModuleType:
    if not Path(source_path).is_file():
        raise ImportError(f"{fn_name} in {source_path} not found in import_func_from_source()")
    name = _tfx_module_finder.register_module(source_path)
    try:
        return importlib.import_module(name)
    except BaseException:
        _tfx_module_finder.forget_module(name)
        raise


class _SourceLoader(importlib.machinery.SourceFileLoader):
    """Compiles the file as it is now: cached bytecode misses an edit within the same second."""

    def get_code(self, fullname: str) -> CodeType:
        code: CodeType = self.source_to_code(self.get_data(self.path), self.path)
        return code


class _SourceModules(importlib.abc.MetaPathFinder):
    """Finds the modules that were made from source files, so that they can be reloaded."""

    def __init__(self) -> None:
        self._paths: dict[str, str] = {}

    def find_spec(
        self, fullname: str, path: object, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        source = self._paths.get(fullname)
        if source is None:
            return None
        return importlib.util.spec_from_loader(
            fullname, _SourceLoader(fullname, source), origin=source
        )

    def register_module(self, path: str) -> str:
        """Gives a file the name of a module."""
        if self not in sys.meta_path:
            sys.meta_path.append(self)
        name = f"user_module_{self.count_registered}"
        self._paths[name] = path
        return name

    def forget_module(self, name: str) -> None:
        del self._paths[name]

    def get_module_name_by_path(self, path: str) -> str | None:
        return next((name for name, source in self._paths.items() if source == path), None)

    @property
    def count_registered(self) -> int:
        return len(self._paths)


_tfx_module_finder = _SourceModules()
