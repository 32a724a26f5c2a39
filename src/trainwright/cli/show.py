"""`trainwright show`: one run, its nodes and what they made."""

from __future__ import annotations

import os

import click

from trainwright.cli.output import print_json, print_table
from trainwright.cli.store_option import open_existing_store, store_option


@click.command()
@click.argument("run", default="latest")
@store_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def show(run: str, store: str | None, as_json: bool) -> None:
    """Show RUN: an id from `trainwright runs`, its beginning, or `latest`."""
    from trainwright.metadata.run_history import find_run
    from trainwright.orchestration import layout

    with open_existing_store(store) as opened:
        try:
            found = find_run(opened, run)
        except LookupError as error:
            raise click.UsageError(str(error)) from error
    if as_json:
        print_json(found)
        return
    click.echo(f"{found.pipeline}  run {found.run_id}  {found.state}\nartifacts in {found.root}\n")
    rows = []
    for node in found.nodes:
        seconds = "" if node.seconds is None else f"{node.seconds:.1f} s"
        rows.append((node.node_id, node.state, str(node.execution_id or ""), seconds))
    print_table(("NODE", "STATE", "EXECUTION", "TIME"), rows)
    for node in found.nodes:
        for key, artifacts in node.outputs.items():
            for artifact in artifacts:
                pushed = artifact.custom_properties.get("pushed_destination")
                suffix = f"  pushed to {pushed}" if pushed else ""
                click.echo(f"\n{node.node_id}.{key}  {artifact.type.name} {artifact.id}{suffix}")
                click.echo(f"  {artifact.uri}")
        if node.error:
            click.secho(f"\n{node.node_id}: {node.error}", fg="red")
            log = layout.log_path(found.root, node.node_id, node.execution_id or 0)
            if os.path.exists(log):
                click.echo(f"  Log: {log}")
