"""The `--set` option: arguments of `create_pipeline()` and runtime parameters."""

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
