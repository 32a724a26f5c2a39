"""A click group that imports a command only when it is used."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import click

from trainwright._imports import is_installed, load_object, split_path
from trainwright._suggest import did_you_mean


class ReaderGoneError(Exception):
    """Whoever read the output does not want more of it (`trainwright runs | head -1`)."""


class LazyCommand(NamedTuple):
    """Where a command is, as `module:attribute`, and its line in the list of commands."""

    source: str
    short_help: str


class LazyGroup(click.Group):
    """A group of commands that are not imported in order to be listed.

    Args:
        commands_by_name: The commands in the order in which the help lists them. One whose module
            does not exist is left out.
    """

    def __init__(
        self, *arguments: Any, commands_by_name: Mapping[str, LazyCommand], **options: Any
    ) -> None:
        super().__init__(*arguments, **options)
        self._commands_by_name = dict(commands_by_name)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [
            name
            for name, command in self._commands_by_name.items()
            if is_installed(split_path(command.source)[0])
        ]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            return None
        command = load_object(self._commands_by_name[cmd_name].source)
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name, known = args[0], self.list_commands(ctx)
        if name not in known and not name.startswith("-"):
            ctx.fail(f"There is no command {name!r}{did_you_mean(name, known)}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        rows = [(name, self._commands_by_name[name].short_help) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    # click answers a broken pipe with exit code 1, which here says that something failed.

    def make_context(self, *arguments: Any, **options: Any) -> click.Context:
        with _broken_pipes_told_apart():
            return super().make_context(*arguments, **options)

    def invoke(self, ctx: click.Context) -> Any:
        with _broken_pipes_told_apart():
            return super().invoke(ctx)


@contextlib.contextmanager
def _broken_pipes_told_apart() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError as error:
        raise ReaderGoneError from error
