"""Arguments of the pipeline's file itself: what follows `--` on the command line."""

from __future__ import annotations

from collections.abc import Sequence

import click


class ScriptCommand(click.Command):
    """A command that executes a pipeline's file.

    What follows `--` arrives as `script_arguments`. It is not an argument of click's, because that
    would also take a word that stands there by mistake, such as `trainwright run p.py steps=5`.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        own, script_arguments = split_arguments(args)
        rest = super().parse_args(ctx, own)
        ctx.params["script_arguments"] = script_arguments
        return rest

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        return [*super().collect_usage_pieces(ctx), "[-- ARGUMENTS OF FILE]"]


def split_arguments(arguments: Sequence[str]) -> tuple[list[str], tuple[str, ...]]:
    """The arguments before the first `--`, and those after it.

    >>> split_arguments(["run", "pipeline.py", "--", "--n=5", "--"])
    (['run', 'pipeline.py'], ('--n=5', '--'))
    """
    own = list(arguments)
    if "--" not in own:
        return own, ()
    first = own.index("--")
    return own[:first], tuple(own[first + 1 :])


def how_to_pass_arguments(file: str) -> str:
    """How the flags of a file are given to the command that is running."""
    context = click.get_current_context(silent=True)
    if context and not isinstance(context.command, ScriptCommand):
        return f"{context.command_path} starts it without flags: give them defaults in the file."
    command = context.command_path if context else "trainwright run"
    return f"If it needs flags, give them after `--`: {command} {file} -- --flag=value"
