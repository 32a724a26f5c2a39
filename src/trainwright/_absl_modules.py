"""Modules of absl that code for TFX uses after `import absl` alone.

TFX has imported them, so that `absl.logging` was there. Here they are imported at their first use:
after `import tfx`, and in the processes of nodes, which get functions without their imports.
"""

from __future__ import annotations

import importlib
from typing import Any

import absl

_MODULES = ("app", "flags", "logging")


def install() -> None:
    """Lets `absl` import these modules when they are asked for as its attributes."""
    absl.__getattr__ = _import_module


def _import_module(name: str) -> Any:
    if name in _MODULES:
        return importlib.import_module(f"absl.{name}")
    raise AttributeError(f"module 'absl' has no attribute {name!r}")
