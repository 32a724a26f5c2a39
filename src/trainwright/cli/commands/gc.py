"""`trainwright gc`: deletes the artifacts that no kept run needs."""

from __future__ import annotations

import collections
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from trainwright.cli.damage import DamageReport
from trainwright.cli.errors import WrongQuestionError
from trainwright.cli.output import echo, print_json, print_table
from trainwright.cli.phrases import describe_size
from trainwright.cli.store_option import open_existing_store, store_option

if TYPE_CHECKING:
    from trainwright.metadata.store import MetadataStore
    from trainwright.orchestration.cleanup.garbage import GarbageArtifact, GarbagePlan

# How many of the artifacts behind links are named.
_LINKED_TO_NAME = 5


@click.command()
@store_option
@click.option("--pipeline", help="Only this pipeline; all that are in the store by default.")
@click.option(
    "--keep",
    default=5,
    show_default=True,
    type=click.IntRange(min=0),
    help="How many of the newest runs of a pipeline keep what they used and made.",
)
@click.option("--yes", is_flag=True, help="Delete without asking.")
@click.option("--dry-run", is_flag=True, help="Only show what would be deleted.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON; deletes only with --yes.")
def gc(
    store: str | None, pipeline: str | None, keep: int, yes: bool, dry_run: bool, as_json: bool
) -> None:
    """Delete the artifacts that no kept run has used or made.

    Shows first what would go. The newest runs are kept, the newest complete run of each pipeline
    always, and what a run is using at this moment is never touched. What the runs were stays in
    the store. Only directories that were made for an output go: pushed models, imported data and
    what an executor has put elsewhere stay where they are.

    \b
    trainwright gc --keep 3

    Exit code: 0 if all that was to go is gone, 1 if something could not be deleted.
    """
    if yes and dry_run:
        raise WrongQuestionError("--yes and --dry-run contradict each other: give one of them.")
    with open_existing_store(store) as opened, DamageReport(as_json) as damage:
        names = [pipeline] if pipeline else _pipelines(opened)
        plans = _make_plans(opened, names, keep, damage)
        if as_json:
            print_json({name: _as_json(plan) for name, plan in plans.items()})
        else:
            _show(plans)
        if dry_run or all(plan.is_empty for plan in plans.values()):
            return
        if _is_confirmed(yes, as_json):
            _delete(opened, plans, as_json)


def _make_plans(
    store: MetadataStore, names: list[str], keep: int, damage: DamageReport
) -> dict[str, GarbagePlan]:
    """The plans of the pipelines; of one with a damaged row nobody can say what it needs."""
    from trainwright.metadata.store import DamagedRecordError
    from trainwright.orchestration.cleanup.garbage import CollectionPlanner

    planner = CollectionPlanner(store, keep)
    plans = {}
    for name in names:
        try:
            plans[name] = planner.plan(name)
        except DamagedRecordError as error:
            damage.note(f"Nothing of pipeline {name!r} is deleted. {error}")
    return plans


def _pipelines(store: MetadataStore) -> list[str]:
    from trainwright.metadata import contexts

    return [record.name for record in store.get_contexts(type_name=contexts.PIPELINE)]


def _show(plans: dict[str, GarbagePlan]) -> None:
    for name, plan in plans.items():
        runs = len(plan.kept_runs) + len(plan.dropped_runs)
        echo(f"{name}: {len(plan.kept_runs)} of {runs} runs are kept.")
        if plan.occupied:
            echo(
                f"{len(plan.occupied)} artifacts stay that no kept run needs: others lie in their "
                "directories or around them, or are reached through a link in them."
            )
        if plan.behind_links:
            echo(_describe_linked(plan.behind_links))
        for reason, count in collections.Counter(one.reason for one in plan.left).items():
            echo(f"{count} directories stay that no kept run needs: {reason}.")
        if plan.is_empty:
            echo("Nothing to delete.\n")
            continue
        rows = [
            (str(artifact.id), artifact.type_name, _describe_size(artifact), artifact.uri)
            for artifact in plan.artifacts
        ]
        if rows:
            print_table(("ARTIFACT", "TYPE", "SIZE", "FILES"), rows)
        gone = sum(artifact.is_gone for artifact in plan.artifacts)
        echo(
            f"{len(plan.artifacts)} artifacts of {describe_size(plan.size)} and the logs of "
            f"{len(plan.log_directories)} executions can go."
            f"{_describe_gone(gone)}{_describe_event_logs(plan)}\n"
        )


def _describe_size(artifact: GarbageArtifact) -> str:
    return "gone" if artifact.is_gone else describe_size(artifact.size)


def _describe_event_logs(plan: GarbagePlan) -> str:
    number = len(plan.event_logs)
    return f" So can the event logs of {number} runs." if number else ""


def _describe_gone(number: int) -> str:
    """Files that somebody else has deleted or moved are not ours to boast of."""
    return f" The files of {number} artifacts were gone already." if number else ""


def _describe_linked(artifacts: Sequence[GarbageArtifact]) -> str:
    size = describe_size(sum(artifact.size for artifact in artifacts))
    named = [artifact.directory for artifact in artifacts[:_LINKED_TO_NAME]]
    more = len(artifacts) - len(named)
    return (
        f"{len(artifacts)} artifacts of {size} stay that no kept run needs: they lie behind a "
        f"link, where nothing is deleted. Delete them yourself: {', '.join(named)}"
        + (f" and {more} more, which --json names." if more else ".")
    )


def _is_confirmed(yes: bool, as_json: bool) -> bool:
    if yes:
        return True
    if as_json or not sys.stdin.isatty():
        echo("Nothing was deleted. Say --yes to delete.", err=True)
        return False
    return click.confirm("Delete this?", default=False)


def _delete(store: MetadataStore, plans: dict[str, GarbagePlan], as_json: bool) -> None:
    from trainwright.orchestration.cleanup.garbage import collect
    from trainwright.storage.uploads import why_uploads_stay

    deleted = [artifact for plan in plans.values() for artifact in collect(store, plan)]
    wanted = sum(len(plan.artifacts) for plan in plans.values())
    if not as_json:
        size = describe_size(sum(artifact.size for artifact in deleted))
        gone = sum(artifact.is_gone for artifact in deleted)
        echo(f"Deleted {len(deleted) - gone} artifacts, {size}.{_describe_gone(gone)}")
    directories = (one.directory for plan in plans.values() for one in plan.artifacts)
    logs = (directory for plan in plans.values() for directory in plan.log_directories)
    remark = why_uploads_stay([*directories, *logs])
    if remark is not None:
        echo(remark, err=True)
    if len(deleted) < wanted:
        echo(
            f"{wanted - len(deleted)} artifacts were not deleted: a run has begun to use them, or "
            "their files could not be removed.",
            err=True,
        )
        sys.exit(1)


def _as_json(plan: GarbagePlan) -> dict[str, object]:
    return {
        "kept_runs": plan.kept_runs,
        "dropped_runs": plan.dropped_runs,
        "artifacts": plan.artifacts,
        "occupied": plan.occupied,
        "behind_links": plan.behind_links,
        "left": plan.left,
        "log_directories": plan.log_directories,
        "event_logs": plan.event_logs,
        "bytes": plan.size,
    }
