"""`trainwright runs`: the runs in a store."""

from __future__ import annotations

from collections import Counter

import click

from trainwright.cli.completions import complete_pipeline
from trainwright.cli.damage import DamageReport
from trainwright.cli.output import echo, json_option, print_json, print_table
from trainwright.cli.phrases import describe_age, describe_duration
from trainwright.cli.run_arguments import run_document
from trainwright.cli.store_option import open_existing_store, store_option
from trainwright.history.run_history import list_runs
from trainwright.history.run_view import RunView, view_run

STATES = ("running", "complete", "failed", "canceled", "died")


@click.command()
@store_option
@click.option("--pipeline", shell_complete=complete_pipeline, help="Only runs of this pipeline.")
@click.option("--state", type=click.Choice(STATES), help="Only runs in this state.")
@click.option(
    "--limit", default=20, show_default=True, type=click.IntRange(min=1), help="How many runs."
)
@json_option
def runs(
    store: str | None, pipeline: str | None, state: str | None, limit: int, as_json: bool
) -> None:
    """List the runs, newest first.

    \b
    trainwright runs --state failed
    trainwright runs --pipeline penguin --limit 5
    """
    with DamageReport(as_json) as damage:
        with open_existing_store(store) as opened:
            found = list_runs(
                opened, pipeline=pipeline, state=state, limit=limit, on_damaged=damage.note
            )
            views = [view_run(opened, run) for run in found]
        _print_runs(views, pipeline, state, as_json)


def _print_runs(
    views: list[RunView], pipeline: str | None, state: str | None, as_json: bool
) -> None:
    if as_json:
        print_json([run_document(view) for view in views])
    elif views:
        rows = [_row(view) for view in views]
        print_table(("RUN", "PIPELINE", "STATE", "STARTED", "TIME", "NODES"), rows)
    else:
        which = f" {state}" if state else ""
        of_pipeline = f" of pipeline {pipeline!r}" if pipeline else "" if state else " yet"
        echo(f"No{which} runs{of_pipeline}.")


def _row(view: RunView) -> tuple[str, ...]:
    run = view.run
    counts = Counter(node.state for node in run.nodes)
    return (
        run.run_id,
        run.pipeline,
        run.state,
        describe_age(run.started_at, view.now),
        describe_duration(view.seconds),
        ", ".join(f"{count} {state}" for state, count in counts.items()),
    )
