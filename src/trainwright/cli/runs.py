"""`trainwright runs`: the runs in a store."""

from __future__ import annotations

import time
from collections import Counter

import click

from trainwright.cli.output import print_json, print_table
from trainwright.cli.store_option import open_existing_store, store_option


@click.command()
@store_option
@click.option("--pipeline", help="Only runs of this pipeline.")
@click.option("--limit", default=20, show_default=True, type=click.IntRange(min=1))
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def runs(store: str | None, pipeline: str | None, limit: int, as_json: bool) -> None:
    """List the runs, newest first."""
    from trainwright.metadata.run_history import list_runs

    with open_existing_store(store) as opened:
        found = list_runs(opened, pipeline=pipeline, limit=limit)
    if as_json:
        print_json(found)
        return
    if not found:
        of_pipeline = f" of pipeline {pipeline!r}" if pipeline else " yet"
        click.echo(f"No runs{of_pipeline}.")
        return
    rows = []
    for run in found:
        counts = Counter(node.state for node in run.nodes)
        nodes = ", ".join(f"{count} {state}" for state, count in counts.items())
        started = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(run.started_at))
        rows.append((run.run_id, run.pipeline, run.state, started, nodes))
    print_table(("RUN", "PIPELINE", "STATE", "STARTED", "NODES"), rows)
