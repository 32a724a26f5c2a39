"""TFX's public names as facts (`scripts/collect_tfx_names.py`), and what is there of each here.

python tests/tfx_names/public_names.py tfx.utils    print what is not as in TFX, below a module
"""

from __future__ import annotations

import importlib
import inspect
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from tfx._missing_names import MISSING_NAMES

FACTS = Path(__file__).with_name("tfx_public_names.tsv")


class PublicName(NamedTuple):
    """A line of the facts."""

    module: str
    name: str
    kind: str
    versions: str
    detail: str = ""

    @property
    def full_name(self) -> str:
        return self.module if self.name == "-" else f"{self.module}.{self.name}"


def public_names() -> list[PublicName]:
    lines = FACTS.read_text("utf-8").splitlines()
    return [PublicName(*line.split("\t")) for line in lines]


def reason_missing(full_name: str) -> str | None:
    """Why a name, or something around it, is on the list of names that are not here."""
    parts = full_name.split(".")
    candidates = (".".join(parts[:length]) for length in range(len(parts), 1, -1))
    return next((MISSING_NAMES[name] for name in candidates if name in MISSING_NAMES), None)


def problem(fact: PublicName) -> str | None:
    """What a program that relies on a fact would miss here, in a few words."""
    try:
        found: Any = importlib.import_module(fact.module)
        for part in fact.name.split("."):
            found = found if part == "-" else getattr(found, part)
    except (ImportError, AttributeError) as error:
        return f"not there: {str(error)[:100]}"
    if fact.kind == "module" and not isinstance(found, ModuleType):
        return "is not a module"
    if fact.kind in ("class", "message") and not _is_class(found):
        return "is not a class"
    if fact.kind in ("function", "method") and not callable(found):
        return "cannot be called"
    if fact.kind == "constant" and fact.detail and found != json.loads(fact.detail):
        return f"is {found!r}, not {fact.detail}"
    if fact.kind in ("class", "function", "method") and fact.detail:
        return _parameter_problem(found, fact.detail.split())
    return None


def _is_class(found: Any) -> bool:
    # An enum of protobuf is an object with methods, a type alias of typing is neither.
    return isinstance(found, type) or hasattr(found, "Name") or hasattr(found, "__origin__")


def _parameter_problem(found: Any, expected: list[str]) -> str | None:
    try:
        parameters = inspect.signature(found).parameters
    except (TypeError, ValueError):
        return None
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters.values()):
        return None
    lacking = [name for name in expected if name not in parameters]
    return f"does not take {', '.join(lacking)}" if lacking else None


def gaps(prefix: str) -> Iterator[tuple[PublicName, str]]:
    """The names at or below a module that are not as in TFX and not on the list of missing ones."""
    for fact in public_names():
        inside = f"{fact.full_name}.".startswith(f"{prefix}.")
        if inside and reason_missing(fact.full_name) is None:
            found = problem(fact)
            if found:
                yield fact, found


if __name__ == "__main__":
    for fact, found in gaps(sys.argv[1]):
        print(f"{fact.module:45} {fact.name:40} {fact.versions:14} {found}")
