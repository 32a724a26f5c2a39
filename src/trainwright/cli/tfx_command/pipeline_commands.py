"""`tfx pipeline`: registers pipelines under their names, and shows the schema of one."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from typing import Any, TypeVar

import click

from trainwright.cli.output import echo
from trainwright.cli.tfx_command.engines import (
    Failure,
    choose_engine,
    engine_home,
    engine_option,
    remote_options,
    spellings,
)
from trainwright.cli.tfx_command.registered_pipelines import PipelineHome, RegisteredPipeline

Command = TypeVar("Command", bound=Callable[..., Any])

# Options that TFX once had: it ends with these words where one is given.
_REMOVED_OPTIONS = {
    "package_path": "The runner in the pipeline's file says where its package goes.",
    "build_target_image": "The config of the runner in the pipeline's file names the image.",
    "skaffold_cmd": "TFX no longer uses skaffold.",
}


def _removed_options(*names: str) -> Callable[[Command], Command]:
    def refuse(context: click.Context, parameter: click.Parameter, value: str | None) -> None:
        if value is not None:
            option = parameter.opts[-1]
            reason = _REMOVED_OPTIONS[str(parameter.name)]
            raise Failure(f"[Error] {option} flag was DELETED from TFX. {reason} Leave it out.")

    def add(command: Command) -> Command:
        for name in names:
            command = click.option(
                *spellings(name), name, expose_value=False, callback=refuse, hidden=True
            )(command)
        return command

    return add


def _path_option(command: Command) -> Command:
    return click.option(
        *spellings("pipeline_path"),
        "path",
        required=True,
        metavar="FILE",
        help="The Python file that runs the pipeline: it calls LocalDagRunner().run(...).",
    )(command)


def _name_option(command: Command) -> Command:
    return click.option(
        *spellings("pipeline_name"), "name", required=True, help="The name of the pipeline."
    )(command)


@click.command()
@engine_option
@_path_option
@remote_options("build_base_image", "endpoint", "iap_client_id", "namespace", "build_image")
@_removed_options("package_path", "build_target_image", "skaffold_cmd")
def create(engine: str, path: str) -> None:
    """Register the pipeline that a file runs; nothing runs yet.

    The file is executed up to its call of run(). Name, root and metadata store are noted below
    LOCAL_HOME (default: ~/tfx/local), with the compiled pipeline beside.
    """
    echo("Creating pipeline")
    home = _home(engine)
    found, ir = _load(path)
    if found.name in home.names():
        raise Failure(
            f'Pipeline "{found.name}" already exists. `tfx pipeline update` registers it anew.'
        )
    home.save(found, ir)
    echo(f'Pipeline "{found.name}" created successfully.')


@click.command()
@engine_option
@_path_option
@remote_options("endpoint", "iap_client_id", "namespace", "build_image")
@_removed_options("package_path", "skaffold_cmd")
def update(engine: str, path: str) -> None:
    """Register a pipeline anew: from another file, or after its name's file has changed."""
    echo("Updating pipeline")
    home = _home(engine)
    found, ir = _load(path)
    home.get(found.name)
    home.save(found, ir)
    echo(f'Pipeline "{found.name}" updated successfully.')


@click.command("compile")
@engine_option
@_path_option
@_removed_options("package_path")
def compile_pipeline(engine: str, path: str) -> None:
    """Compile the pipeline that a file runs, to see whether it can be; nothing is kept."""
    echo("Compiling pipeline")
    choose_engine(engine)
    _load(path)
    echo("Pipeline compiled successfully.")


@click.command("list")
@engine_option
@remote_options("endpoint", "iap_client_id", "namespace")
def list_pipelines(engine: str) -> None:
    """List the registered pipelines."""
    echo("Listing all pipelines")
    names = _home(engine).names()
    if not names:
        echo("No pipelines to display.")
        return
    line = "-" * 30
    echo("\n".join((line, *names, line)))


@click.command()
@engine_option
@_name_option
@remote_options("endpoint", "iap_client_id", "namespace")
def delete(engine: str, name: str) -> None:
    """Forget a pipeline. Its file, its outputs and its runs in the metadata store stay."""
    echo("Deleting pipeline")
    _home(engine).delete(name)
    echo(f'Pipeline "{name}" deleted successfully.')


@click.command()
@engine_option
@_name_option
def schema(engine: str, name: str) -> None:
    """Print the schema that the pipeline inferred last, and copy it to ./schema.pbtxt."""
    from trainwright.cli.tfx_command.pipeline_runs import open_store_of

    echo("Getting latest schema.")
    registered = _home(engine).get(name)
    with open_store_of(registered) as store:
        source = _latest_schema(store, name)
    target = os.path.abspath("schema.pbtxt")
    content = _copy_file(source, target)
    echo(f"Path to schema: {target}")
    echo(f"*********SCHEMA FOR {name.upper()}**********")
    echo(content)


def _latest_schema(store: Any, name: str) -> str:
    from trainwright.cli.schema_source import find_latest_schema
    from trainwright.metadata.run_history import list_runs

    runs = list_runs(store, pipeline=name) if store is not None else []
    if not runs:
        raise Failure(
            "Create a run before inferring schema. If one is running, wait until it is over: "
            f"`tfx run list --pipeline_name={name}`."
        )
    path = find_latest_schema(store, runs)
    if path is None:
        raise Failure(
            "Either SchemaGen component does not exist or pipeline is still running. No run of "
            f'pipeline "{name}" has made a schema that is still there.'
        )
    return path


def _copy_file(source: str, target: str) -> str:
    """Copies a text file whole or not at all; returns its content."""
    try:
        with open(source, encoding="utf-8") as file:
            content = file.read()
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", dir=os.path.dirname(target), prefix=".schema-", delete=False
        ) as copied:
            copied.write(content)
        os.chmod(copied.name, 0o644)
        os.replace(copied.name, target)
    except OSError as error:
        raise Failure(f"{source} cannot be copied to {target}: {error}.") from error
    return content


def _home(engine: str) -> PipelineHome:
    return PipelineHome(engine_home(choose_engine(engine)))


def _load(path: str) -> tuple[RegisteredPipeline, str]:
    from trainwright.cli.tfx_command.runner_script import (
        compile_requested,
        describe_requested,
        find_requested_run,
    )

    absolute, directory = os.path.abspath(path), os.getcwd()  # the file may go to another
    requested = find_requested_run(path)
    return describe_requested(requested, absolute, directory), compile_requested(requested)
