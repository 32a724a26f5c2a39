"""The `--store` option, and the store that a command opens by it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from trainwright.cli.errors import WrongQuestionError
from trainwright.cli.output import echo

if TYPE_CHECKING:
    from trainwright.history.settings_file import SettingsFile
    from trainwright.history.store_choice import StoreChoice
    from trainwright.metadata.store import MetadataStore

Command = TypeVar("Command", bound=Callable[..., Any])


def store_option(command: Command) -> Command:
    """Adds `--store` to a command."""
    return click.option(
        "--store",
        metavar="PATH|URL",
        help="The metadata store, for example output/metadata.db. Default: TRAINWRIGHT_STORE, "
        "trainwright.toml, the one of this directory, or the last one used.",
    )(command)


def find_store(address: str | None = None) -> StoreChoice | None:
    """The store that `store_choice.find_store` finds; a mistake in it ends the command."""
    from trainwright.history import store_choice

    with _usage_errors():
        return store_choice.find_store(address)


def configured_store_url() -> str | None:
    """The store that the environment or `trainwright.toml` names, or None."""
    from trainwright.history import store_choice

    with _usage_errors():
        return store_choice.configured_store_url()


def project_settings() -> SettingsFile | None:
    """The `trainwright.toml` of the working directory; a mistake in it ends the command."""
    from trainwright.history.settings_file import find_settings_file

    with _usage_errors():
        return find_settings_file()


def absolute_store_url(address: str, directory: Path | None = None) -> str:
    """A path or a URL as a URL; relative paths count from the directory, by default the current."""
    from trainwright.history import store_choice

    with _usage_errors():
        return store_choice.absolute_store_url(address, directory)


@contextlib.contextmanager
def _usage_errors() -> Iterator[None]:
    from trainwright.history.settings_file import SettingsError

    try:
        yield
    except SettingsError as error:
        raise WrongQuestionError(str(error)) from error


def open_existing_store(address: str | None) -> MetadataStore:
    """Opens the store that `find_store` finds, and says which it is; never creates one."""
    chosen = find_existing_store(address)
    opened = open_chosen_store(chosen)
    if not click.get_current_context().params.get("as_json"):
        echo(f"Store: {chosen.shown} (named by {chosen.source})", err=True)
    return opened


def find_existing_store(address: str | None) -> StoreChoice:
    """The store that `find_store` finds, or an error that says how to name one."""
    chosen = find_store(address)
    if chosen is None:
        raise WrongQuestionError(
            "No run has been remembered yet, so there is no store to look into. Run a pipeline, or "
            "name its store with --store PATH, TRAINWRIGHT_STORE or trainwright.toml."
        )
    return chosen


def open_chosen_store(chosen: StoreChoice) -> MetadataStore:
    """Opens a store that must be there."""
    from trainwright.metadata.connection import open_store
    from trainwright.metadata.store import StoreNotFoundError

    try:
        return open_store(chosen.url, create=False)
    except StoreNotFoundError as error:
        raise WrongQuestionError(
            f"There is no metadata store at {chosen.shown} (named by {chosen.source}). Name "
            "another with --store PATH."
        ) from error
    except ModuleNotFoundError as error:  # the driver of a database server
        raise WrongQuestionError(str(error)) from error
