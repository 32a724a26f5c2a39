"""`trainwright cancel`: stops a run, here or on another machine."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from typing import TYPE_CHECKING

import click

from trainwright.cli import exit_codes
from trainwright.cli.completions import complete_run
from trainwright.cli.errors import WrongQuestionError
from trainwright.cli.output import echo, json_option, print_json
from trainwright.cli.phrases import describe_age
from trainwright.cli.run_arguments import run_document
from trainwright.cli.store_option import open_existing_store, store_option
from trainwright.history.run_view import RunView, find_run_view, view_run

if TYPE_CHECKING:
    from trainwright.history.run_history import RunHistory
    from trainwright.metadata.records import RunRecord
    from trainwright.metadata.store import MetadataStore

_POLL_SECONDS = 0.5


@click.command()
@click.argument("run", shell_complete=complete_run)
@click.option("--no-wait", is_flag=True, help="Do not wait until the run is over.")
@store_option
@json_option
def cancel(run: str, no_wait: bool, store: str | None, as_json: bool) -> None:
    """Stop RUN: an id from `trainwright runs`, its beginning, or `latest`.

    The request is left in the store, where the run finds it within seconds, wherever it runs; one
    on this machine is stopped at once. Finished nodes stay finished: with enable_cache=True the
    next run goes on from there.

    \b
    trainwright cancel latest

    Exit code: 0 if the run was canceled (with --no-wait: asked to stop), 1 if it failed meanwhile,
    2 if it was over already.
    """
    with open_existing_store(store) as opened:
        view = find_run_view(opened, run)
        request_stop(opened, view)
        if no_wait:
            _report(view, "asked to stop", as_json)
            return
        if not as_json:
            echo(f"Stopping run {view.run.run_id} ...", err=True)
        view = wait_until_over(opened, view)
    _report(view, view.run.state, as_json)
    if view.run.state == "complete":
        raise WrongQuestionError(f"Run {view.run.run_id} was complete before it could be stopped.")
    if view.run.state != "canceled":
        click.get_current_context().exit(exit_codes.FAILED)


def request_stop(store: MetadataStore, view: RunView) -> None:
    """Asks a run to stop, wherever it runs; one that does not run is refused."""
    _refuse_unless_running(view)
    _request(store, view.run.run_id)
    _end_if_idle(store, view.run)


def _refuse_unless_running(view: RunView) -> None:
    run = view.run
    if run.state == "died":
        raise WrongQuestionError(
            f"Run {run.run_id} has died: its process is gone, so there is nothing to stop. The "
            "next run of the pipeline clears up after it."
        )
    if run.state != "running":
        raise WrongQuestionError(
            f"Run {run.run_id} is over already: {run.state}, started "
            f"{describe_age(run.started_at, view.now)}. Nothing was stopped."
        )


def _request(store: MetadataStore, run_id: str) -> None:
    """Asks the run to stop: by a note in the store, and by a signal if it is on this machine."""
    pid = _process_here(store.update_run(run_id, cancel=True), store.now())
    if pid is not None and _stops_cleanly(pid):
        # Gone in between, or another user's: the note in the store is there all the same.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGTERM)


def _end_if_idle(store: MetadataStore, run: RunHistory) -> None:
    """Ends a run of `execute-node` commands while none of them is at work: nobody else would. One
    that begins in this moment finds the note that the run is to stop."""
    from trainwright.metadata.leases import is_shared
    from trainwright.metadata.records import RunState

    is_idle = run.state == "running" and all(node.state != "running" for node in run.nodes)
    record = store.get_run(run.run_id) if is_idle else None
    if record is not None and record.state is RunState.RUNNING and is_shared(record):
        store.update_run(run.run_id, state=RunState.CANCELED)


def _process_here(run: RunRecord, now: float) -> int | None:
    """The pid of the run's process if it runs on this machine."""
    from trainwright.metadata.leases import current_lease, is_alive

    lease = run.lease
    if lease is None or lease.host != current_lease().host or not is_alive(lease, now):
        return None
    return lease.pid


def _stops_cleanly(pid: int) -> bool:
    """Whether the process has a handler for SIGTERM.

    A run in a thread of a larger program cannot install one, and must not end the program: it finds
    the note in the store. Where this cannot be known, the note has to do as well.
    """
    try:
        with open(f"/proc/{pid}/status") as file:
            caught = next(line for line in file if line.startswith("SigCgt:"))
    except (OSError, StopIteration):
        return False
    return bool(int(caught.split()[1], 16) >> (signal.SIGTERM - 1) & 1)


def wait_until_over(store: MetadataStore, view: RunView) -> RunView:
    """The run once it has ended, looked at twice a second."""
    from trainwright.history.run_history import find_run

    run = view.run
    while run.state == "running":
        time.sleep(_POLL_SECONDS)
        run = find_run(store, run.run_id)
        _end_if_idle(store, run)
    return view_run(store, run)


def _report(view: RunView, outcome: str, as_json: bool) -> None:
    if as_json:
        print_json({**run_document(view), "outcome": outcome})
        return
    canceled = [node.node_id for node in view.run.nodes if node.state == "canceled"]
    not_run = [node.node_id for node in view.run.nodes if node.state == "not run"]
    parts = [f"Run {view.run.run_id} of {view.run.pipeline}: {outcome}."]
    if canceled:
        parts.append(f"Stopped: {', '.join(canceled)}.")
    if not_run:
        parts.append(f"Not run: {', '.join(not_run)}.")
    echo(" ".join(parts))
