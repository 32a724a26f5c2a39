"""The options `--set` and `--root`: what a command gives to the pipeline in a file."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])


def settings_option(command: Command) -> Command:
    """Adds `--set NAME=VALUE`, which arrives as a tuple `settings`."""
    return click.option(
        "--set",
        "settings",
        multiple=True,
        metavar="NAME=VALUE",
        help="An argument of create_pipeline() or a runtime parameter. May be given more than "
        "once.",
    )(command)


def root_option(command: Command) -> Command:
    """Adds `--root`, in place of the pipeline's own root."""
    return click.option(
        "--root",
        metavar="PATH|URL",
        help="Where the artifacts go, in place of the pipeline's own root: a directory, or "
        "s3://bucket/name, gs://..., az://... or memory://...",
    )(command)


def parse_settings(settings: Iterable[str]) -> dict[str, str]:
    """The settings by name.

    >>> parse_settings(["steps=5", "name=a=b"])
    {'steps': '5', 'name': 'a=b'}
    """
    parsed = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals or not name:
            raise click.BadParameter(f"{setting!r} is not NAME=VALUE.", param_hint="--set")
        parsed[name] = value
    return parsed
