"""`trainwright.toml`: what a project tells every command that is called below its directory."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from trainwright._checks import mismatch
from trainwright._errors import TrainwrightError
from trainwright._suggest import did_you_mean

FILE_NAME = "trainwright.toml"

# The strings that the file may begin with, each with an example.
_NAMES: Mapping[str, str] = {"engine": "local://?processes=2", "runner": "local"}
# The tables that the file may have; of each of their keys the types, and what is expected in words.
_KEYS: Mapping[str, Mapping[str, tuple[tuple[type, ...], str]]] = {
    "store": {"url": ((str,), 'a string such as "sqlite:///output/metadata.db"')},
    "ray": {
        "address": ((str,), 'a string such as "10.0.0.5:6379"'),
        "autoscales": ((bool,), "true or false"),
        "lease_seconds": ((int, float), "a number such as 30"),
    },
}


class SettingsError(TrainwrightError, ValueError):
    """A setting names nothing that can be used; the message says where it stands and what to do."""


@dataclass(frozen=True, kw_only=True)
class SettingsFile:
    """What is in a `trainwright.toml`, checked.

    Args:
        path: Where it is.
        store_url: The key `url` of the table `[store]`, as it stands there.
        engine: The key `engine`: what runs passes over data where a pipeline names no engine.
        runner: The key `runner`: what `trainwright run` runs pipelines with.
        ray: The table `[ray]`: the cluster of the runner `ray`, as arguments of RaySettings.
    """

    path: Path
    store_url: str | None = None
    engine: str | None = None
    runner: str | None = None
    ray: Mapping[str, Any] = field(default_factory=dict)


def find_settings_file(directory: Path | None = None) -> SettingsFile | None:
    """Reads the file in the directory (the working directory if None) or the nearest above it."""
    start = (directory or Path()).resolve()
    for candidate in (start, *start.parents):
        path = candidate / FILE_NAME
        if path.is_file():
            return read_settings_file(path)
    return None


def read_settings_file(path: Path) -> SettingsFile:
    """Reads and checks a file; a mistake in it is an error that names the file and the key."""
    toml: Any = importlib.import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
    try:
        content = toml.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path} cannot be read: {error}.") from error
    except toml.TOMLDecodeError as error:
        raise SettingsError(f"{path} is not TOML: {error}.") from error
    _check(path, content)
    return SettingsFile(
        path=path,
        store_url=content.get("store", {}).get("url"),
        ray=content.get("ray", {}),
        **{name: content.get(name) for name in _NAMES},
    )


def _check(path: Path, content: Mapping[str, Any]) -> None:
    for table, values in content.items():
        if table in _NAMES:
            _check_name(path, table, values)
            continue
        if table not in _KEYS:
            known = [*_NAMES, *_KEYS]
            raise SettingsError(
                f"{path} has {table!r}, which is not a setting{did_you_mean(table, known)}"
            )
        if not isinstance(values, dict):
            expected = f"a table: a line [{table}] and its keys below"
            raise SettingsError(mismatch(f"{path}: {table}", values, expected))
        _check_table(path, table, values)


def _check_name(path: Path, key: str, value: Any) -> None:
    if not isinstance(value, str) or not value:
        raise SettingsError(
            f'{path} has {key} = {value!r}, expected a string such as "{_NAMES[key]}", above the '
            "first table."
        )


def _check_table(path: Path, table: str, values: Mapping[str, Any]) -> None:
    for key, value in values.items():
        if key not in _KEYS[table]:
            raise SettingsError(
                f"{path} has {key!r} in [{table}], which is not a setting"
                f"{did_you_mean(key, _KEYS[table])}"
            )
        types, wanted = _KEYS[table][key]
        is_fitting = isinstance(value, types) and isinstance(value, bool) == (bool in types)
        if not is_fitting or value == "":
            raise SettingsError(mismatch(f"{path}: {key} in [{table}]", value, wanted))
