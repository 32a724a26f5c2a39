"""`trainwright new`: a project to begin with, whose pipeline runs."""

from __future__ import annotations

import os
import shlex
import shutil
import tempfile
from pathlib import Path

import click

from trainwright._suggest import did_you_mean
from trainwright.cli.errors import WrongQuestionError
from trainwright.cli.output import echo, json_option, print_json
from trainwright.cli.project_templates import (
    ProjectFile,
    project_files,
    template_names,
    write_project_file,
)


@click.command()
@click.argument("name")
@click.option(
    "--template",
    default="penguin",
    show_default=True,
    metavar="TEMPLATE",
    help="penguin: a small model on four numbers. taxi: statistics, an inferred schema and "
    "features by tf.Transform as well; it needs trainwright[transform].",
)
@json_option
def new(name: str, template: str, as_json: bool) -> None:
    """Make a directory NAME with a pipeline of that name, which runs as it is.

    \b
    trainwright new my_penguins
    trainwright new my_trips --template taxi
    """
    from trainwright.dsl.pipeline import check_pipeline_name

    known = template_names("trainwright")
    if template not in known:
        raise click.BadParameter(
            f"There is no template {template!r}{did_you_mean(template, known)}",
            param_hint="--template",
        )
    try:
        check_pipeline_name(name)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="NAME") from error
    directory = Path(name).absolute()
    files = project_files("trainwright", template, name)
    _make(directory, files)
    next_commands = [
        f"cd {shlex.quote(name)}",
        "trainwright run pipeline.py",
        "trainwright show",
        "python -m unittest discover -p '*_test.py'",
    ]
    paths = [str(file.path) for file in files]
    if as_json:
        print_json({"directory": str(directory), "files": paths, "next": next_commands})
        return
    echo(f"Made {directory}:")
    echo("\n".join(f"  {path}" for path in paths))
    echo("\nNext:")
    echo("\n".join(f"  {command}" for command in next_commands))


def _make(directory: Path, files: list[ProjectFile]) -> None:
    """Makes the directory with all of the files, or does not make it."""
    if directory.exists() and not (directory.is_dir() and not any(directory.iterdir())):
        kind = "a directory that is not empty" if directory.is_dir() else "a file"
        raise WrongQuestionError(f"{directory} is {kind}. Choose another name, or move it away.")
    unfinished = None
    try:
        unfinished = Path(tempfile.mkdtemp(prefix=f".{directory.name}-", dir=directory.parent))
        for file in files:
            write_project_file(unfinished, file)
        unfinished.chmod(0o755)
        os.rename(unfinished, directory)
    except OSError as error:
        if unfinished is not None:
            shutil.rmtree(unfinished, ignore_errors=True)
        raise WrongQuestionError(f"{directory} cannot be made: {error.strerror}.") from error
