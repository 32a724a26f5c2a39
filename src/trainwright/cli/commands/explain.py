"""`trainwright explain`: why nodes run, or do not have to, in a run to come or one that was."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from trainwright.cli.errors import WrongQuestionError
from trainwright.cli.output import echo, json_option, print_json, print_table
from trainwright.cli.script_arguments import ScriptCommand
from trainwright.cli.settings_option import root_option, settings_option
from trainwright.cli.store_option import open_existing_store, store_option

if TYPE_CHECKING:
    from trainwright.orchestration.planning.explain import Forecast


@click.command(cls=ScriptCommand)
@click.argument("target", default="latest")
@store_option
@settings_option
@root_option
@json_option
def explain(
    target: str,
    store: str | None,
    settings: tuple[str, ...],
    root: str | None,
    as_json: bool,
    script_arguments: tuple[str, ...],
) -> None:
    """Say why each node runs or is reused.

    TARGET is a pipeline's file: what `trainwright run` would do with it now, without running
    anything; what follows `--` goes to the file as its own arguments. Or it is a run (an id from
    `trainwright runs`, its beginning, or `latest`): what was decided then.

    \b
    trainwright explain pipeline.py
    trainwright explain latest
    """
    if target.endswith(".py") or os.path.isfile(target):
        from trainwright.cli.commands.run import forecast

        if not os.path.isfile(target):
            raise WrongQuestionError(f"There is no file {target}.")
        forecasts = forecast(target, settings, script_arguments, root=root, store=store)
        print_forecasts(forecasts, as_json)
        return
    if root is not None:
        raise WrongQuestionError("--root is for a pipeline's file; a run has its root already.")
    if settings:
        raise WrongQuestionError("--set is for a pipeline's file; a run has its settings already.")
    if script_arguments:
        raise WrongQuestionError(
            "Arguments after `--` are for a pipeline's file; a run has had its own already."
        )
    _explain_run(target, store, as_json)


def print_forecasts(forecasts: list[Forecast], as_json: bool) -> None:
    """Shows what would become of each node."""
    if as_json:
        print_json(forecasts)
        return
    rows = [(item.node_id, _describe_fate(item), _describe_reason(item)) for item in forecasts]
    print_table(("NODE", "WILL", "WHY"), rows, wrap_last=True)
    count = sum(item.will_run for item in forecasts)
    unsure = sum(item.will_run and item.condition is not None for item in forecasts)
    if_it_holds = f", {unsure} of them only if a condition holds" if unsure else ""
    echo(f"\n{count} of {len(forecasts)} nodes would run{if_it_holds}.")


def _describe_fate(item: Forecast) -> str:
    if item.is_skipped:
        return "skip"
    fate = "run" if item.will_run else f"reuse {item.reused_execution_id}"
    return fate if item.condition is None else f"{fate} or skip"


def _describe_reason(item: Forecast) -> str:
    if item.condition is None:
        return item.reason
    return f"{item.reason}; only if {item.condition}"


def _explain_run(wanted: str, store: str | None, as_json: bool) -> None:
    from trainwright.history.run_view import find_run_view

    with open_existing_store(store) as opened:
        view = find_run_view(opened, wanted)
    run = view.run
    explained = [
        {"node_id": node.node_id, "state": node.state, "reason": view.reason(node)}
        for node in run.nodes
    ]
    if as_json:
        print_json({"run_id": run.run_id, "nodes": explained})
        return
    echo(f"{run.pipeline}  run {run.run_id}  {run.state}\n")
    print_table(
        ("NODE", "STATE", "WHY"),
        [(item["node_id"], item["state"], item["reason"]) for item in explained],
        wrap_last=True,
    )
