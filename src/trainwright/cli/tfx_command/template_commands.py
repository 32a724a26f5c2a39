"""`tfx template`: copies a pipeline to begin with."""

from __future__ import annotations

import os
from pathlib import Path

import click

from trainwright._paths import check_local_path
from trainwright.cli.output import echo
from trainwright.cli.project_templates import (
    ProjectFile,
    project_files,
    template_names,
    write_project_file,
)
from trainwright.cli.tfx_command.options import Failure, guess, spellings


@click.command("list")
def list_templates() -> None:
    """List the templates."""
    echo("Available templates:")
    for name in template_names("tfx"):
        echo(f"- {name}")


@click.command()
@click.option(
    *spellings("pipeline_name"), "name", required=True, help="The name of the new pipeline."
)
@click.option(
    *spellings("destination_path"),
    "destination",
    required=True,
    metavar="DIRECTORY",
    help="Where the files go. It is made if it is not there.",
)
@click.option("--model", required=True, help="The template: penguin or taxi.")
def copy(name: str, destination: str, model: str) -> None:
    """Copy a template to a directory: a pipeline that runs, to begin with.

    A file that is there already, with something else in it, is not overwritten: then nothing is
    copied.
    """
    from trainwright.dsl.pipeline import check_pipeline_name

    echo(f"Copying {model} pipeline template")
    known = template_names("tfx")
    if model not in known:
        raise Failure(f"Model {model} does not exist.{guess(model, known)}")
    try:
        check_pipeline_name(name)
        check_local_path(destination, "--destination_path")
    except ValueError as error:
        raise Failure(str(error)) from error
    directory = Path(os.path.expanduser(destination))
    files = project_files("tfx", model, name)
    try:
        _refuse_losses(directory, files)
        for file in files:
            echo(f"{file.path.name} -> {directory / file.path}")
            write_project_file(directory, file)
    except OSError as error:
        raise Failure(f"The template cannot be copied to {directory}: {error}.") from error


def _refuse_losses(directory: Path, files: list[ProjectFile]) -> None:
    """Refuses a directory in which something would be overwritten."""
    if directory.exists() and not directory.is_dir():
        raise Failure(f"{directory} is not a directory. Choose another --destination_path.")
    for file in files:
        path = directory / file.path
        if path.exists() and (not path.is_file() or path.read_bytes() != file.content):
            raise Failure(
                f"{path} is there already, and is not what the template has; nothing was copied. "
                "Choose another --destination_path, or move it away."
            )
