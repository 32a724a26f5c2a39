"""`trainwright run`: finds the pipeline in a file and runs it."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from trainwright.cli.output import echo
from trainwright.cli.settings_option import parse_settings, settings_option

if TYPE_CHECKING:
    from trainwright.cli.pipeline_file import FoundPipeline
    from trainwright.orchestration.events import RunEvent, RunObserver
    from trainwright.orchestration.explain import Forecast
    from trainwright.orchestration.run_options import RunOptions
    from trainwright.orchestration.run_result import RunResult


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False))
@settings_option
@click.option(
    "--from",
    "from_nodes",
    multiple=True,
    metavar="NODE",
    help="Begin with this node; what the nodes before it made last is used.",
)
@click.option("--to", "to_nodes", multiple=True, metavar="NODE", help="End with this node.")
@click.option("--base-run", metavar="RUN", help="With --from: use what this run made.")
@click.option(
    "--explain", "only_explain", is_flag=True, help="Say what would run and why; run nothing."
)
@click.option(
    "--store",
    metavar="PATH|URL",
    help="The metadata store, if the pipeline names none. Default: TRAINWRIGHT_STORE, "
    "trainwright.toml, or metadata.db in the pipeline root.",
)
@click.option("--max-parallel", type=click.IntRange(min=1), help="How many nodes may run at once.")
@click.option(
    "--show-output/--quiet",
    "show_output",
    default=None,
    help="Show what the nodes print and log while they run, or do not. Default: show it where "
    "there is no live table. It is in the nodes' logs in any case.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per event.")
def run(
    file: str,
    settings: tuple[str, ...],
    from_nodes: tuple[str, ...],
    to_nodes: tuple[str, ...],
    base_run: str | None,
    only_explain: bool,
    store: str | None,
    max_parallel: int | None,
    show_output: bool | None,
    as_json: bool,
) -> None:
    """Run the pipeline in FILE, a Python file.

    FILE has a variable `pipeline`, a function `create_pipeline()`, just one Pipeline, or runs one
    itself. Nodes whose inputs, properties and code are unchanged are reused if the pipeline has
    enable_cache=True. If a run died or failed, the same command goes on where it was.

    \b
    trainwright run pipeline.py
    trainwright run pipeline.py --set train_steps=500 --set output=/data/penguin
    trainwright run pipeline.py --explain
    trainwright run pipeline.py --from Trainer --to Evaluator

    Exit code: 0 if all nodes are done, 1 if one failed, 2 if the pipeline cannot run as it is,
    130 if it was stopped.
    """
    options = _run_options(from_nodes, to_nodes, base_run)
    if as_json and show_output:
        raise click.UsageError(
            "--json prints events and nothing else; `trainwright logs NODE -f` shows the output."
        )
    if only_explain:
        from trainwright.cli.explain import print_forecasts

        print_forecasts(forecast(file, settings, store=store, run_options=options), as_json)
        return
    from trainwright.orchestration.local_dag_runner import LocalDagRunner, RunCanceled
    from trainwright.orchestration.run_result import PipelineRunError

    found = _find(file, settings)
    if not as_json:
        echo(f"Found {found.description}: {found.pipeline.pipeline_name}", err=True)
    try:
        with _refusals_in_one_sentence(), _observer(as_json, show_output) as observer:
            runner = LocalDagRunner(
                max_parallel=max_parallel,
                observer=observer,
                default_store=_default_store(store),
                keep_listed_order=found.keep_listed_order,
            )
            result = runner.run(
                found.pipeline, options, runtime_parameters=found.runtime_parameters
            )
    except PipelineRunError as error:
        if not as_json:
            echo(f"\n{error.result.describe_failures()}", err=True)
        sys.exit(1)
    except RunCanceled:
        sys.exit(130)
    if not as_json:
        _print_results(result)


def forecast(
    file: str,
    settings: tuple[str, ...],
    *,
    store: str | None = None,
    run_options: RunOptions | None = None,
) -> list[Forecast]:
    """What `trainwright run` would do with the pipeline in a file."""
    from trainwright.orchestration.local_dag_runner import LocalDagRunner

    found = _find(file, settings)
    with _refusals_in_one_sentence():
        runner = LocalDagRunner(
            default_store=_default_store(store), keep_listed_order=found.keep_listed_order
        )
        return runner.explain(
            found.pipeline, run_options, runtime_parameters=found.runtime_parameters
        )


def _find(file: str, settings: tuple[str, ...]) -> FoundPipeline:
    from trainwright.cli.pipeline_file import find_pipeline

    return find_pipeline(file, parse_settings(settings))


def _run_options(
    from_nodes: tuple[str, ...], to_nodes: tuple[str, ...], base_run: str | None
) -> RunOptions | None:
    if not from_nodes and not to_nodes:
        if base_run is not None:
            raise click.UsageError("--base-run says whose outputs --from starts with: give --from.")
        return None
    from trainwright.orchestration.run_options import RunOptions

    return RunOptions(
        from_nodes=from_nodes or None, to_nodes=to_nodes or None, base_pipeline_run_id=base_run
    )


def _default_store(store: str | None) -> str | None:
    from trainwright.cli.store_option import absolute_store_url, configured_store_url

    return absolute_store_url(store) if store else configured_store_url()


@contextlib.contextmanager
def _refusals_in_one_sentence() -> Iterator[None]:
    from trainwright.cli.pipeline_file import CannotRunError
    from trainwright.orchestration.run_result import PipelineRunError

    try:
        yield
    except PipelineRunError:
        raise  # which may be a ValueError, too: a component's
    except ValueError as error:
        raise CannotRunError(str(error)) from error


@contextlib.contextmanager
def _observer(as_json: bool, show_output: bool | None) -> Iterator[RunObserver]:
    if as_json:
        yield _print_json
        return
    from trainwright.orchestration.reports import default_report

    with default_report(show_output=show_output) as report:
        yield report


def _print_json(event: RunEvent) -> None:
    facts = {"event": event.kind.value, "at": event.at, "node": event.node or None}
    record = {**facts, **event.data, **facts}  # progress has whatever names an executor gives it
    echo(json.dumps({name: value for name, value in record.items() if value is not None}))


def _print_results(result: RunResult) -> None:
    """Says what was decided and pushed, and where the rest is."""
    for line in result.highlights:
        echo(line)
    count = result.artifact_count
    echo(f"{count} {'artifact' if count == 1 else 'artifacts'} in {result.root}")
    echo(f"\ntrainwright show {result.run_id}")
