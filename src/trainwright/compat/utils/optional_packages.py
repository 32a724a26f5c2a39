"""Packages of services that Trainwright itself does not use."""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Any


def import_package(module: str, package: str) -> Any:
    """Imports a module; where it is not installed, the error says which package to install."""
    try:
        found: ModuleType = importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module}.".startswith(f"{error.name}."):
            raise  # the package is there, but lacks something of its own
        raise ModuleNotFoundError(
            f"{module} is not installed. Install it with: pip install {package}", name=error.name
        ) from error
    return found
