"""`tfx run`: runs registered pipelines, and asks the metadata store about their runs."""

from __future__ import annotations

import dataclasses
import datetime
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from trainwright._printable import printable_line
from trainwright.cli import exit_codes
from trainwright.cli.output import echo
from trainwright.cli.tfx_command.options import (
    Failure,
    engine_option,
    name_option,
    remote_options,
    spellings,
)
from trainwright.cli.tfx_command.pipeline_runs import find_run_of, open_store_of, open_store_with
from trainwright.cli.tfx_command.registered_pipelines import PipelineHome, RegisteredPipeline

if TYPE_CHECKING:
    from trainwright.history.run_history import RunHistory
    from trainwright.orchestration.run_result import RunResult
    from trainwright.orchestration.script_runs import RequestedRun

Command = TypeVar("Command", bound=Callable[..., Any])

_COLUMNS = ("pipeline_name", "run_id", "status", "created_at")


def _run_option(command: Command) -> Command:
    return click.option(
        *spellings("run_id"), "run_id", required=True, help="The id of the run, from `run list`."
    )(command)


@click.command()
@engine_option
@name_option
@click.option(
    *spellings("runtime_parameter"),
    "parameters",
    multiple=True,
    metavar="NAME=VALUE",
    help="A runtime parameter of the pipeline. May be given more than once.",
)
@remote_options("endpoint", "iap_client_id", "namespace", "project", "region")
def create(engine: str, name: str, parameters: tuple[str, ...]) -> None:
    """Run a registered pipeline and wait until it is over.

    Its file is executed in the directory in which the pipeline was registered. Exit code: 0 if all
    nodes are done, 1 if one failed or the pipeline cannot run, 130 if it was stopped.
    """
    from trainwright.cli.commands.run import refusals_in_one_sentence
    from trainwright.cli.tfx_command.runner_script import perform_requested_runs
    from trainwright.orchestration.local_dag_runner import RunCanceled
    from trainwright.orchestration.run_result import PipelineRunError

    echo(f"Creating a run for pipeline: {name}")
    home = PipelineHome(engine)
    registered = home.get(name)
    given = _parse_parameters(parameters)
    _go_to(registered)

    def perform(requested: RequestedRun) -> RunResult:
        return _perform(requested, given, registered, home)

    try:
        with refusals_in_one_sentence():
            perform_requested_runs(registered.dsl_path, perform)
    except PipelineRunError:
        sys.exit(exit_codes.FAILED)
    except RunCanceled:
        sys.exit(exit_codes.STOPPED)


def _perform(
    requested: RequestedRun,
    parameters: dict[str, str],
    registered: RegisteredPipeline,
    home: PipelineHome,
) -> RunResult:
    from trainwright.cli.commands.run import RunCommand
    from trainwright.cli.pipeline_file import FoundPipeline
    from trainwright.cli.tfx_command.runner_script import describe_requested

    found = requested.pipeline.pipeline_name
    if found != registered.name:
        raise Failure(
            f'{registered.dsl_path} runs the pipeline "{found}" now, not "{registered.name}". '
            f"Register it: tfx pipeline create --pipeline_path={registered.dsl_path}"
        )
    requested = dataclasses.replace(
        requested, runtime_parameters={**requested.runtime_parameters, **parameters}
    )
    # Where the run is remembered may have changed since the pipeline was registered.
    now = describe_requested(requested, registered.dsl_path, registered.working_directory)
    if now != registered:
        home.save(now)
    return RunCommand(run_options=None, store=None).perform(
        FoundPipeline(
            pipeline=requested.pipeline,
            description=f"the pipeline that {registered.dsl_path} runs",
            runtime_parameters=requested.runtime_parameters,
            keep_listed_order=requested.keep_listed_order,
            requested=requested,
        )
    )


def _parse_parameters(parameters: Iterable[str]) -> dict[str, str]:
    parsed = {}
    for parameter in parameters:
        name, equals, value = parameter.partition("=")
        if not equals or not name:
            raise Failure(
                f"Runtime parameter should be <name>=<value> format, got {parameter!r}. For "
                "example: --runtime_parameter=train_steps=500"
            )
        parsed[name] = value
    return parsed


def _go_to(pipeline: RegisteredPipeline) -> None:
    """Relative paths in the pipeline's file mean what they meant when it was registered."""
    if pipeline.working_directory is None:
        return
    try:
        os.chdir(pipeline.working_directory)
    except OSError as error:
        raise Failure(
            f'Pipeline "{pipeline.name}" was registered in {pipeline.working_directory}, which '
            f"cannot be entered: {error.strerror}. `tfx pipeline update --pipeline_path=FILE` "
            "registers it where you are."
        ) from error


@click.command("list")
@engine_option
@name_option
@remote_options("endpoint", "iap_client_id", "namespace")
def list_runs(engine: str, name: str) -> None:
    """List the runs of a pipeline, newest first: running, complete, failed, canceled or died."""
    from trainwright.history import run_history

    echo(f"Listing all runs of pipeline: {name}")
    registered = PipelineHome(engine).get(name)
    with open_store_of(registered) as store:
        runs = [] if store is None else run_history.list_runs(store, pipeline=name)
    if runs:
        _print_runs(runs)
    else:
        echo("No runs found.")


@click.command()
@engine_option
@name_option
@_run_option
@remote_options("endpoint", "iap_client_id", "namespace", "project", "region")
def status(engine: str, name: str, run_id: str) -> None:
    """Say what became of a run; `trainwright show RUN` tells it node by node."""
    echo("Retrieving run status.")
    registered = PipelineHome(engine).get(name)
    with open_store_of(registered) as store:
        view = find_run_of(store, name, run_id)
    _print_runs([view.run])


@click.command()
@engine_option
@_run_option
@remote_options("endpoint", "iap_client_id", "namespace")
def terminate(engine: str, run_id: str) -> None:
    """Stop a run, whichever process or machine it is in, and wait until it has ended."""
    from trainwright.cli.commands.cancel import request_stop, wait_until_over

    echo("Terminating run.")
    home = PipelineHome(engine)
    with open_store_with(home, run_id) as (store, view):
        request_stop(store, view)
        state = wait_until_over(store, view).run.state
    if state != "canceled":
        raise Failure(f"Run {run_id} was {state} before it could be stopped.")
    echo("Run terminated.")


@click.command()
@engine_option
@_run_option
@remote_options("endpoint", "iap_client_id", "namespace")
def delete(engine: str, run_id: str) -> None:
    """Delete a run from the history.

    What it made stays until `trainwright gc`, which no longer keeps anything on its account.
    """
    from trainwright.history.run_history import delete_run

    echo("Deleting run.")
    home = PipelineHome(engine)
    with open_store_with(home, run_id) as (store, view):
        if view.run.state == "running":
            raise Failure(f"Run {run_id} is running. Stop it first: tfx run terminate.")
        delete_run(store, run_id)
    echo("Run deleted.")


def _print_runs(runs: Sequence[RunHistory]) -> None:
    rows = [(run.pipeline, run.run_id, run.state, _moment(run.started_at)) for run in runs]
    echo(_table(_COLUMNS, rows))


def _moment(seconds: float) -> str:
    return datetime.datetime.fromtimestamp(seconds).astimezone().isoformat(timespec="seconds")


def _table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table with TFX's lines around it, which scripts may take apart by their bars."""
    lines = [list(columns), *[[printable_line(cell) for cell in row] for row in rows]]
    widths = [max(len(line[index]) for line in lines) + 2 for index in range(len(columns))]

    def rule(mark: str) -> str:
        return "+" + "+".join(mark * width for width in widths) + "+"

    def shown(line: Sequence[str]) -> str:
        cells = (f" {cell} ".ljust(width) for cell, width in zip(line, widths, strict=True))
        return "|" + "|".join(cells) + "|"

    heading, *body = map(shown, lines)
    middle = f"\n{rule('-')}\n".join(body)
    return "\n".join((rule("="), heading, rule("="), middle, rule("=")))
