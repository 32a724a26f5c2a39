"""obstore, loaded when it is needed, and anew in a process that was forked after its use.

obstore's threads do not follow a fork, and whatever is asked of it in such a process waits for
ever, also of stores that are opened there. So the child loads the compiled module a second time
from a copy: a module of the same file would be the same one. That takes about 25 ms, once.
"""

from __future__ import annotations

import importlib
import importlib.machinery
import importlib.util
import os
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any, TypeVar

from trainwright._imports import require
from trainwright.storage import patience

_COMPILED = "obstore._obstore"
_Result = TypeVar("_Result")


class _Loaded:
    """Which obstore this process uses."""

    def __init__(self) -> None:
        self.module: ModuleType | None = None
        self.origin: str | None = None  # the file of the compiled module, never a copy of it
        self.is_inherited = False
        self.lock = threading.RLock()

    def after_fork(self) -> None:
        # The lock may have been held by a thread that is not here.
        self.lock = threading.RLock()
        self.is_inherited = self.module is not None or _COMPILED in sys.modules


_loaded = _Loaded()
os.register_at_fork(after_in_child=_loaded.after_fork)


def obstore() -> Any:
    """The module `obstore`, which may be used in this process.

    Raises:
        ModuleNotFoundError: with the command that installs it.
    """
    if _loaded.module is not None and not _loaded.is_inherited:
        return _loaded.module
    with _loaded.lock:
        if _loaded.is_inherited:
            _load_copy()
        module = require("obstore", "storage")
        require("obstore.store", "storage")
        if _loaded.origin is None:
            _loaded.origin = sys.modules[_COMPILED].__file__
        _loaded.module = module
        return module


def _load_copy() -> None:
    origin = _loaded.origin or sys.modules[_COMPILED].__file__
    if origin is None:
        raise ImportError("obstore's compiled module has no file: it cannot be used after a fork.")
    _loaded.origin = origin
    inherited = {name: sys.modules.pop(name) for name in list(sys.modules) if _is_obstore(name)}
    try:
        with _copy_of(origin) as path:
            finder = _CopyFinder(path)
            sys.meta_path.insert(0, finder)
            try:
                importlib.import_module("obstore")
            finally:
                sys.meta_path.remove(finder)
    except BaseException:
        sys.modules.update(inherited)
        raise
    _loaded.is_inherited = False


def _is_obstore(name: str) -> bool:
    return name.partition(".")[0] == "obstore"


class _CopyFinder:
    """Finds the compiled module in the copy."""

    def __init__(self, path: str) -> None:
        self._path = path

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if name != _COMPILED:
            return None
        loader = importlib.machinery.ExtensionFileLoader(name, self._path)
        return importlib.util.spec_from_file_location(name, self._path, loader=loader)


@contextmanager
def _copy_of(origin: str) -> Iterator[str]:
    """The path of a copy, which may be gone once it is loaded."""
    with open(origin, "rb") as source:
        content = source.read()
    if hasattr(os, "memfd_create"):
        with os.fdopen(os.memfd_create("obstore"), "wb") as memory:
            memory.write(content)
            memory.flush()
            yield f"/proc/self/fd/{memory.fileno()}"
    else:
        with tempfile.NamedTemporaryFile(suffix=".so") as file:
            file.write(content)
            file.flush()
            yield file.name


def interruptible(call: Callable[[], _Result]) -> _Result:
    """What a call of obstore returns; Ctrl-C and other signals are heeded meanwhile.

    The call itself waits outside of Python, for half a minute if the store does not answer. So in
    the main thread, where signals are handled, another one makes it; and in all threads once this
    process was asked to stop.
    """
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main and not patience.is_limited():
        return call()
    results: list[_Result] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(call())
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=run, name="trainwright-storage", daemon=True)
    thread.start()
    patience.join(thread)
    if errors:
        raise errors[0]
    return results[0]
