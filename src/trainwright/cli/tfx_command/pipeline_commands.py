"""`tfx pipeline`: registers pipelines under their names, and shows the schema of one."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from trainwright.cli.output import echo
from trainwright.cli.tfx_command.options import (
    Failure,
    choose_engine,
    engine_option,
    name_option,
    remote_options,
    spellings,
)
from trainwright.cli.tfx_command.registered_pipelines import PipelineHome, RegisteredPipeline
from trainwright.cli.whole_files import write_whole

if TYPE_CHECKING:
    from trainwright.metadata.store import MetadataStore

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
    home = PipelineHome(engine)
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
    home = PipelineHome(engine)
    found, ir = _load(path)
    home.check_exists(found.name)
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
    names = PipelineHome(engine).names()
    if not names:
        echo("No pipelines to display.")
        return
    line = "-" * 30
    echo("\n".join((line, *names, line)))


@click.command()
@engine_option
@name_option
@remote_options("endpoint", "iap_client_id", "namespace")
def delete(engine: str, name: str) -> None:
    """Forget a pipeline. Its file, its outputs and its runs in the metadata store stay."""
    echo("Deleting pipeline")
    PipelineHome(engine).delete(name)
    echo(f'Pipeline "{name}" deleted successfully.')


@click.command()
@engine_option
@name_option
def schema(engine: str, name: str) -> None:
    """Print the schema that the pipeline inferred last, and copy it to ./schema.pbtxt."""
    from trainwright.cli.tfx_command.pipeline_runs import open_store_of

    echo("Getting latest schema.")
    registered = PipelineHome(engine).get(name)
    with open_store_of(registered) as store:
        source = _latest_schema(store, name)
    target = Path.cwd() / "schema.pbtxt"
    try:
        content = Path(source).read_bytes()
        write_whole(target, content)
    except OSError as error:
        raise Failure(f"{source} cannot be copied to {target}: {error}.") from error
    echo(f"Path to schema: {target}")
    echo(f"*********SCHEMA FOR {name.upper()}**********")
    echo(content.decode(errors="replace"))


def _latest_schema(store: MetadataStore | None, name: str) -> str:
    from trainwright.cli.schema_source import find_latest_schema
    from trainwright.history.run_history import list_runs

    runs = list_runs(store, pipeline=name) if store is not None else []
    if store is None or not runs:
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


def _load(path: str) -> tuple[RegisteredPipeline, str]:
    from trainwright.cli.tfx_command.runner_script import (
        compile_requested,
        describe_requested,
        find_requested_run,
    )

    absolute, directory = os.path.abspath(path), os.getcwd()  # the file may go to another
    requested = find_requested_run(path)
    return describe_requested(requested, absolute, directory), compile_requested(requested)
