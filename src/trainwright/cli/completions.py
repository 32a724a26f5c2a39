"""Shell completions: runs, nodes and pipelines of the store.

A completion that fails offers nothing: a shell prompt is no place for errors.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from trainwright.cli.store_option import find_existing_store, open_chosen_store

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from trainwright.metadata.records import RunRecord

_MOST_RUNS = 50


def complete_run(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """The newest runs, each with its pipeline and state."""
    from click.shell_completion import CompletionItem

    items = [CompletionItem("latest", help="the newest run")]
    for run in _runs(context):
        items.append(CompletionItem(run.run_id, help=f"{run.pipeline} {run.state.value}"))
    return [item for item in items if item.value.startswith(incomplete)]


def complete_node(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """The nodes of the run that is named already, or of the newest ones."""
    wanted = context.params.get("run") or "latest"
    runs = _runs(context)
    if wanted == "latest":
        runs = runs[:1]
    else:
        runs = [run for run in runs if run.run_id.startswith(wanted)]
    return _items((node.node_id for run in runs for node in run.nodes), incomplete)


def complete_run_or_node(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """For arguments that may come in either order."""
    runs = complete_run(context, parameter, incomplete)
    return [*runs, *complete_node(context, parameter, incomplete)]


def complete_pipeline(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    return _items((run.pipeline for run in _runs(context)), incomplete)


def _runs(context: click.Context) -> list[RunRecord]:
    with contextlib.suppress(Exception):
        chosen = find_existing_store(context.params.get("store"))
        with open_chosen_store(chosen) as store:
            return store.get_runs(limit=_MOST_RUNS)
    return []


def _items(values: Iterable[str], incomplete: str) -> list[CompletionItem]:
    from click.shell_completion import CompletionItem

    different = dict.fromkeys(value for value in values if value.startswith(incomplete))
    return [CompletionItem(value) for value in different]
