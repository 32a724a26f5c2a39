"""`trainwright execute-node`: executes one node of a compiled pipeline."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import click

from trainwright.cli import exit_codes
from trainwright.cli.output import echo, print_json

if TYPE_CHECKING:
    from trainwright.cli.commands.run import RunCommand
    from trainwright.cli.pipeline_file import FoundPipeline


@click.command("execute-node")
@click.argument("document", type=click.Path(exists=True, dir_okay=False))
@click.argument("node", required=False)
@click.option("--run", "run_id", required=True, metavar="RUN", help="The run's id: your choice.")
@click.option("--finish", is_flag=True, help="Note what the run has come to; after NODE, if given.")
@click.option(
    "--store",
    metavar="PATH|URL",
    help="The metadata store, if the pipeline names none. Default: TRAINWRIGHT_STORE or "
    "trainwright.toml if it is the document's with a password, else the document's.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per event.")
def execute_node(
    document: str, node: str | None, run_id: str, finish: bool, store: str | None, as_json: bool
) -> None:
    """Execute NODE of the compiled pipeline DOCUMENT as a part of the run RUN.

    The nodes before it must be done in the same run. It is reused, skipped, tried again or waited
    for as by `trainwright run`; if it is done already, nothing happens. The command of the last
    node completes the run; --finish says that no more nodes will come.

    \b
    trainwright execute-node pipeline.json Trainer --run 2026-11-18
    trainwright execute-node pipeline.json --run 2026-11-18 --finish

    Exit code: 0 if the node is done or skipped (with --finish: if all are), 1 if it failed, 2 if it
    cannot run as it is or not yet, 130 if it was stopped.
    """
    from trainwright.cli.commands.run import refusals_in_one_sentence
    from trainwright.orchestration.local_dag_runner import RunCanceled
    from trainwright.orchestration.run_result import PipelineRunError

    if node is None and not finish:
        raise click.UsageError("Name the NODE to execute, or give --finish.")
    with refusals_in_one_sentence():
        found, command = _load(document, store, as_json)
        try:
            if node is not None:
                command.perform_node(found, node, run_id)
        except PipelineRunError:
            code = exit_codes.FAILED
        except RunCanceled:
            code = exit_codes.STOPPED
        else:
            code = exit_codes.OK
        if finish:
            state = _finish(command, found, run_id, as_json)
            code = code or state
    sys.exit(code)


def _load(path: str, store: str | None, as_json: bool) -> tuple[FoundPipeline, RunCommand]:
    from trainwright.cli.commands.run import RunCommand
    from trainwright.cli.pipeline_file import find_pipeline
    from trainwright.orchestration.pipeline_document import read_document, read_source

    document = read_document(path)
    source = read_source(document)
    chosen = store or _store_of(document)
    try:
        os.chdir(source.working_directory)
    except OSError as error:
        raise ValueError(f"The pipeline's working directory cannot be used: {error}") from error
    found = find_pipeline(source.file, source.settings, source.arguments)
    command = RunCommand(run_options=None, store=chosen, as_json=as_json)
    job = command.check(found, with_checks=False)
    for name, now in (("pipeline", job.pipeline.pipeline_name), ("root", job.root)):
        if document.get(name) != now:
            raise ValueError(
                f"{source.file} has changed since it was compiled: its {name} is {now!r}, in "
                f"{path} it is {document.get(name)!r:.200}. Compile it again."
            )
    return found, command


def _store_of(document: dict[str, Any]) -> str:
    """The document's store; with a password, if the environment names the same store with one."""
    from trainwright.cli.store_option import configured_store_url
    from trainwright.metadata.store_urls import without_password
    from trainwright.orchestration.pipeline_document import read_store

    named = read_store(document)
    configured = configured_store_url()
    return configured if configured and without_password(configured) == named else named


def _finish(command: RunCommand, found: FoundPipeline, run_id: str, as_json: bool) -> int:
    from trainwright.orchestration.run_result import NodeState

    states = command.finish(found, run_id)
    shown = {node: state.value for node, state in states.items()}
    if as_json:
        print_json({"run_id": run_id, "nodes": shown})
    else:
        echo(f"Run {run_id}: " + ", ".join(f"{node} {state}" for node, state in shown.items()))
    is_well = all(one.is_success or one is NodeState.SKIPPED for one in states.values())
    if is_well:
        return exit_codes.OK
    was_stopped = NodeState.CANCELED in states.values() and NodeState.FAILED not in states.values()
    return exit_codes.STOPPED if was_stopped else exit_codes.FAILED
