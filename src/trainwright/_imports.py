"""Imports by name: of what is not in the base install, and of objects that a string names."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from types import ModuleType
from typing import Any


def require(module: str, extra: str = "", *, package: str = "") -> ModuleType:
    """Imports a module that an extra of the project, or a package of its own, installs.

    Call it where the module is used, not at the top of a file: what is optional must not be
    needed in order to import the package.

    Args:
        module: the module's full name, such as `"tfx_bsl.coders.example_coder"`.
        extra: the extra that brings it, such as `"transform"`.
        package: what pip calls it, where no extra brings it, such as `"kubernetes"`.

    Raises:
        ModuleNotFoundError: if the module's package is not installed; the message has the command
            that installs it. Any other error of the import itself passes unchanged.
    """
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if not _is_absent(module, error):
            raise
        wanted = f"'trainwright[{extra}]'" if extra else package
        raise ModuleNotFoundError(
            f"{module} is not installed. Install it with: pip install {wanted}", name=error.name
        ) from error


def load_object(path: str) -> Any:
    """The object that `"module:name"` or the dotted path `"module.name"` stands for.

    Raises:
        ValueError: if the path has no module or no name.
        ImportError: if there is no such module. Errors of the module itself pass unchanged.
        AttributeError: if the module has no such name.

    >>> load_object("collections:OrderedDict") is load_object("collections.OrderedDict")
    True
    """
    module, name = load_owner(path)
    try:
        return getattr(module, name)
    except AttributeError as error:
        raise AttributeError(
            f"{path!r} cannot be loaded: the module {module.__name__!r} has no {name!r}. Is it "
            "misspelt, or another version installed?",
            name=name,
            obj=module,
        ) from error


def load_owner(path: str) -> tuple[ModuleType, str]:
    """The module of `"module:name"` or `"module.name"`, imported, and the name in it."""
    module_name, name = split_path(path)
    try:
        return importlib.import_module(module_name), name
    except ModuleNotFoundError as error:
        if not _is_absent(module_name, error):
            raise
        raise ImportError(
            f"Could not import requested module path {module_name!r}. It must be importable from "
            f"where the pipeline is started; sys.path is {sys.path}."
        ) from error


def split_path(path: str) -> tuple[str, str]:
    """The module and the name of `"module:name"` or `"module.name"`; nothing is imported."""
    module_name, name = path.split(":", 1) if ":" in path else path.rpartition(".")[::2]
    if not module_name or not name:
        raise ValueError(
            f"{path!r} does not name an object of a module; expected something like "
            "'my_package.my_module:run_fn' or 'my_package.my_module.run_fn'."
        )
    return module_name, name


def _is_absent(module: str, error: ModuleNotFoundError) -> bool:
    """Whether it is the module that is missing: one that is there but lacks something of its own is
    broken, not absent, and its own error says more than ours."""
    return error.name is not None and f"{module}.".startswith(f"{error.name}.")


def is_installed(module: str) -> bool:
    """Whether a module can be found, without importing it (only the packages that it is in)."""
    try:
        return importlib.util.find_spec(module) is not None
    except (ImportError, ValueError):  # not even its package, or no module of a file
        return False
