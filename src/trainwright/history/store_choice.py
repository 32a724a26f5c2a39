"""The metadata store to look into where a program or a command names none."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from trainwright._paths import check_local_path
from trainwright.history.project_store import find_project_store
from trainwright.history.settings_file import SettingsError, find_settings_file

ENVIRONMENT_VARIABLE = "TRAINWRIGHT_STORE"
_SQLITE = "sqlite:///"
# Else a typing error in a URL would become a directory of that name.
_HALF_A_URL = re.compile(r"(sqlite|postgres|postgresql|mysql)(\+\w+)?:")


@dataclass(frozen=True, kw_only=True)
class StoreChoice:
    """The store that a command uses.

    Args:
        url: Its URL; the path in one of SQLite is absolute.
        source: Where that was said, in words.
        is_guess: Whether nobody has named it: it is the last one used here, or anywhere.
    """

    url: str
    source: str
    is_guess: bool = False

    @property
    def path(self) -> str | None:
        """The file of a store in SQLite; None for a database server."""
        from trainwright.metadata.connection import sqlite_path

        return sqlite_path(self.url) if self.url.startswith("sqlite:") else None

    @property
    def shown(self) -> str:
        """The store as it may be printed: a path, or a URL without its password."""
        from trainwright.metadata.connection import hide_password

        return self.path or hide_password(self.url)


def find_store(address: str | None = None, source: str = "--store") -> StoreChoice | None:
    """The store by its address, which `source` gives, the environment, `trainwright.toml`, the
    working directory or the last run, in this order.

    Example: `find_store("output/metadata.db")`
    """
    from trainwright.orchestration import last_store

    if address:
        return StoreChoice(url=absolute_store_url(address), source=source)
    configured = _find_configured_store()
    if configured is not None:
        return configured
    of_project = find_project_store(os.getcwd())
    if of_project is not None:
        url, source = of_project
        return StoreChoice(url=url, source=source, is_guess=True)
    last = last_store.recall()
    return StoreChoice(url=last, source="the last run", is_guess=True) if last else None


def configured_store_url() -> str | None:
    """The store that the environment or `trainwright.toml` names, or None.

    It is for runs of pipelines that name none: `LocalDagRunner(default_store=...)`.
    """
    configured = _find_configured_store()
    return configured.url if configured else None


def absolute_store_url(address: str, directory: Path | None = None) -> str:
    """A path or a URL as a URL; relative paths count from the directory, by default the current.

    >>> absolute_store_url("output/metadata.db", Path("/project"))
    'sqlite:////project/output/metadata.db'
    >>> absolute_store_url("sqlite:///metadata.db", Path("/project"))
    'sqlite:////project/metadata.db'
    """
    from trainwright.metadata.connection import sqlite_metadata_connection_config

    base = directory or Path()
    if address.startswith(_SQLITE):
        rest = address[len(_SQLITE) :]
        if not rest or rest.startswith((":memory:", "/")):
            return address
        _check_store_path(rest)
        base_url = sqlite_metadata_connection_config(os.path.abspath(base)).url
        return f"{base_url}/{rest}"
    if "://" in address:
        return address
    if _HALF_A_URL.match(address):
        raise SettingsError(
            f"{address.partition(':')[0]}: looks like a URL without its two slashes. Write "
            "sqlite:///PATH or postgresql://USER@HOST/DATABASE, or the path of a file alone."
        )
    _check_store_path(address)
    path = os.path.abspath(base / os.path.expanduser(address))
    return sqlite_metadata_connection_config(path).url


def _check_store_path(path: str) -> None:
    try:
        check_local_path(path, "The path of the metadata store")
    except ValueError as error:
        raise SettingsError(str(error)) from error


def _find_configured_store() -> StoreChoice | None:
    address = os.environ.get(ENVIRONMENT_VARIABLE)
    if address:
        return StoreChoice(url=absolute_store_url(address), source=ENVIRONMENT_VARIABLE)
    settings = find_settings_file()
    if settings is None or settings.store_url is None:
        return None
    url = absolute_store_url(settings.store_url, settings.path.parent)
    return StoreChoice(url=url, source=str(settings.path))
