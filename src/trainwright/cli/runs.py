"""`trainwright runs`: the runs in a store."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import click

from trainwright.cli.completions import complete_pipeline
from trainwright.cli.damage import DamageReport
from trainwright.cli.output import echo, json_option, print_json, print_table
from trainwright.cli.phrases import describe_age, describe_duration
from trainwright.cli.run_view import RunView, view_run
from trainwright.cli.store_option import open_existing_store, store_option

if TYPE_CHECKING:
    from trainwright.history.run_history import RunHistory
    from trainwright.metadata.store import MetadataStore

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
            found = _find_runs(opened, pipeline, state, limit, damage)
            views = [view_run(opened, run) for run in found]
        _print_runs(views, pipeline, state, as_json)


def _print_runs(
    views: list[RunView], pipeline: str | None, state: str | None, as_json: bool
) -> None:
    if as_json:
        print_json([view.to_json() for view in views])
    elif views:
        rows = [_row(view) for view in views]
        print_table(("RUN", "PIPELINE", "STATE", "STARTED", "TIME", "NODES"), rows)
    else:
        which = f" {state}" if state else ""
        of_pipeline = f" of pipeline {pipeline!r}" if pipeline else "" if state else " yet"
        echo(f"No{which} runs{of_pipeline}.")


def _find_runs(
    store: MetadataStore,
    pipeline: str | None,
    state: str | None,
    limit: int,
    damage: DamageReport,
) -> list[RunHistory]:
    from trainwright.history.run_history import list_runs

    looked_at = limit
    while True:
        listed = list_runs(
            store,
            pipeline=pipeline,
            limit=looked_at,
            on_damaged=damage.note,
        )
        found = [run for run in listed if state is None or run.state == state]
        # Whether a run has died is not in the store, so it cannot be asked for.
        if len(found) >= limit or len(listed) < looked_at:
            return found[:limit]
        looked_at *= 8


def _row(view: RunView) -> tuple[str, ...]:
    run = view.run
    counts = Counter(view.node_state(node) for node in run.nodes)
    return (
        run.run_id,
        run.pipeline,
        run.state,
        describe_age(run.started_at, view.now),
        describe_duration(view.seconds),
        ", ".join(f"{count} {state}" for state, count in counts.items()),
    )
