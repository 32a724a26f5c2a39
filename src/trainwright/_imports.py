"""Imports of what is not in the base install."""

from __future__ import annotations

import importlib
import importlib.util
from types import ModuleType


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
        # A package that is there but lacks something of its own is broken, not absent: its own
        # error says more than ours.
        if error.name is None or not f"{module}.".startswith(f"{error.name}."):
            raise
        wanted = f"'trainwright[{extra}]'" if extra else package
        raise ModuleNotFoundError(
            f"{module} is not installed. Install it with: pip install {wanted}", name=error.name
        ) from error


def is_installed(module: str) -> bool:
    """Whether a module can be found, without importing it (only the packages that it is in)."""
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:  # not even its package
        return False
