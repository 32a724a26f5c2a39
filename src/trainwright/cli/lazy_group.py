"""A click group that imports a command only when it is used."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import click

from trainwright import _plugins
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
        plugin_group: The entry points by which installed packages add commands. They are read for
            a name that is none of ours and for lists of all commands, and never otherwise.
    """

    def __init__(
        self,
        *arguments: Any,
        commands_by_name: Mapping[str, LazyCommand],
        plugin_group: str | None = None,
        **options: Any,
    ) -> None:
        super().__init__(*arguments, **options)
        self._commands_by_name = dict(commands_by_name)
        self._plugin_group = plugin_group

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*self._own_names(), *self._packages_by_name()]

    def _own_names(self) -> list[str]:
        return [
            name
            for name, command in self._commands_by_name.items()
            if is_installed(split_path(command.source)[0])
        ]

    def _packages_by_name(self) -> dict[str, str]:
        """The packages of the commands that are not ours, by the command's name."""
        if self._plugin_group is None:
            return {}
        found = _plugins.packages_by_name(self._plugin_group)
        return {name: found[name] for name in found if name not in self._commands_by_name}

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self._own_names():
            return self._command_of_package(ctx, cmd_name)
        command = load_object(self._commands_by_name[cmd_name].source)
        assert isinstance(command, click.Command)
        return command

    def _command_of_package(self, ctx: click.Context, name: str) -> click.Command | None:
        if self._plugin_group is None or name in self._commands_by_name:
            return None
        try:
            command = _plugins.find(self._plugin_group, name)
            if command is None or isinstance(command, click.Command):
                return command
            problem = f"which is a {type(command).__name__}: expected a click.Command, as "
            problem += "@click.command() makes one of a function"
            raise _plugins.refuse(self._plugin_group, name, problem)
        except _plugins.PluginError:
            if ctx.resilient_parsing:  # completion, which goes on with the other commands
                return None
            raise

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if not name.startswith("-") and self.get_command(ctx, name) is None:
            known = self.list_commands(ctx)
            ctx.fail(f"There is no command {name!r}{did_you_mean(name, known)}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        rows = [(name, self._commands_by_name[name].short_help) for name in self._own_names()]
        with formatter.section("Commands"):
            formatter.write_dl(rows)
        # Named by their packages: their own help would take an import of each.
        added = [(name, f"Of the package {one}.") for name, one in self._packages_by_name().items()]
        if added:
            with formatter.section("Commands of other packages"):
                formatter.write_dl(added)

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
