"""`trainwright run`: finds the pipeline in a file and runs it."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from trainwright.orchestration.events import RunEvent, RunObserver
    from trainwright.orchestration.run_result import RunResult


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False))
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="NAME=VALUE",
    help="An argument of create_pipeline() or a runtime parameter. May be given more than once.",
)
@click.option("--max-parallel", type=click.IntRange(min=1), help="How many nodes may run at once.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per event.")
def run(file: str, settings: tuple[str, ...], max_parallel: int | None, as_json: bool) -> None:
    """Run the pipeline in FILE, a Python file.

    FILE has a variable `pipeline`, a function `create_pipeline()`, just one Pipeline, or runs one
    itself. Nodes whose inputs, properties and code are unchanged are reused if the pipeline has
    enable_cache=True.

    \b
    trainwright run pipeline.py
    trainwright run pipeline.py --set train_steps=500 --set output=/data/penguin

    Exit code: 0 if all nodes are done, 1 if one failed, 2 if the pipeline cannot run as it is,
    130 if it was stopped.
    """
    from trainwright.cli.pipeline_file import CannotRunError, find_pipeline
    from trainwright.orchestration.local_dag_runner import LocalDagRunner, RunCanceled
    from trainwright.orchestration.run_result import PipelineRunError

    with contextlib.redirect_stdout(sys.stderr):  # what the file prints is no event
        found = find_pipeline(file, _parse_settings(settings))
    if not as_json:
        click.echo(f"Found {found.description}: {found.pipeline.pipeline_name}", err=True)
    try:
        with _observer(as_json) as observer:
            runner = LocalDagRunner(max_parallel=max_parallel, observer=observer)
            result = runner.run(found.pipeline, runtime_parameters=found.runtime_parameters)
    except PipelineRunError as error:
        if not as_json:
            click.echo(f"\n{error.result.describe_failures()}", err=True)
        sys.exit(1)
    except RunCanceled:
        sys.exit(130)
    except ValueError as error:
        raise CannotRunError(str(error)) from error
    if not as_json:
        _print_results(result)


def _parse_settings(settings: tuple[str, ...]) -> dict[str, str]:
    parsed = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals or not name:
            raise click.BadParameter(f"{setting!r} is not NAME=VALUE.", param_hint="--set")
        parsed[name] = value
    return parsed


@contextlib.contextmanager
def _observer(as_json: bool) -> Iterator[RunObserver]:
    if as_json:
        yield _print_json
        return
    from trainwright.orchestration.reports import default_report

    with default_report() as report:
        yield report


def _print_json(event: RunEvent) -> None:
    record = {"event": event.kind.value, "at": event.at, "node": event.node or None, **event.data}
    click.echo(json.dumps({name: value for name, value in record.items() if value is not None}))


def _print_results(result: RunResult) -> None:
    """Says where the results are: the outputs that the pipeline ends with."""
    for node_id, outputs in result.outputs.items():
        for key, artifacts in outputs.items():
            for artifact in artifacts:
                pushed = artifact.custom_properties.get("pushed_destination")
                click.echo(f"{node_id}.{key}: {pushed or artifact.uri}")
    click.echo(f"\ntrainwright show {result.run_id}")
