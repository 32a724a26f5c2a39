"""The `--store` option: which metadata store a command looks into."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from trainwright.metadata.store import MetadataStore

Command = TypeVar("Command", bound=Callable[..., Any])


def store_option(command: Command) -> Command:
    """Adds `--store` to a command."""
    return click.option(
        "--store",
        metavar="PATH",
        help="The metadata store, for example output/metadata.db. Default: the last one used.",
    )(command)


def open_existing_store(address: str | None) -> MetadataStore:
    """Opens the named store or the last one used; never creates one."""
    from trainwright.metadata.connection import open_store, sqlite_path
    from trainwright.orchestration import last_store

    chosen = address or last_store.recall()
    if chosen is None:
        raise click.UsageError(
            "No run has been remembered yet, so there is no store to look into. Run a pipeline, or "
            "name its store with --store PATH."
        )
    path = sqlite_path(chosen) if "://" in chosen else chosen
    if not os.path.exists(path):
        raise click.UsageError(
            f"There is no metadata store at {path}. Name another with --store PATH."
        )
    return open_store(chosen)
