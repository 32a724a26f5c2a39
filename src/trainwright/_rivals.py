"""Rivals: distributions that own the import names `tfx` and `ml_metadata`, which this one gives."""

from __future__ import annotations

import contextlib
import os
import sys
import warnings
from collections.abc import Iterable

RIVALS = ("tfx", "ml-metadata", "ml-pipelines-sdk")


def installed_rivals(search_path: Iterable[str] | None = None) -> dict[str, str]:
    """The version of every rival that is installed, by the rival's name.

    Reads directory names only: importing `importlib.metadata` takes longer than all of `tfx`.
    """
    found: dict[str, str] = {}
    for directory in sys.path if search_path is None else search_path:
        # Of a script's own directory nobody knows how large it is.
        if not directory.rstrip("/\\").endswith(("site-packages", "dist-packages")):
            continue
        with contextlib.suppress(OSError):
            for entry in os.listdir(directory):
                stem, _, kind = entry.rpartition(".")
                name, _, version = stem.partition("-")
                name = name.replace("_", "-").lower()
                if kind in ("dist-info", "egg-info") and name in RIVALS:
                    found.setdefault(name, version)
    return found


def how_to_remove(rival: str) -> str:
    """The commands after which only this project is left under the name."""
    return f"pip uninstall {rival}, then pip install --force-reinstall --no-deps trainwright"


def warn_of_rivals() -> None:
    """Warns the importer of the calling module, once, if a rival is installed."""
    found = installed_rivals()
    if found:
        names = ", ".join(f"{name} {version}" for name, version in found.items())
        warnings.warn(
            f"Installed beside Trainwright, with the same import names: {names}. Which of them a "
            "module comes from is a matter of chance. To be sure: "
            f"{how_to_remove(' '.join(found))}.",
            stacklevel=3,
        )
