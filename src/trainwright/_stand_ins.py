"""Modules of ours that stand in for a package of the same name where that is not installed.

Such a module is a single file, because Python prefers a package in the same directory. Between
directories of `sys.path` it does not: there the module itself looks for the package first.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from importlib.machinery import PathFinder
from types import ModuleType


def load_real_package(name: str, file: str) -> ModuleType | None:
    """Puts the real package into the place of our module, if it is on the path behind it.

    Args:
        name: The import name of both.
        file: Our module, which is just being imported.

    Returns:
        The real package, loaded; None if it is not installed.
    """
    path = [entry for entry in sys.path if not _is_directory_of(file, entry)]
    spec = PathFinder.find_spec(name, path)
    if spec is None or spec.loader is None or not is_real(name, spec.origin):
        return None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def is_real(name: str, origin: str | None) -> bool:
    """Whether a file is the real package's, and not our module of the same name."""
    return origin is not None and not origin.endswith(f"{name}.py")


def _is_directory_of(file: str, entry: str) -> bool:
    return os.path.realpath(entry) == os.path.realpath(os.path.dirname(file))
