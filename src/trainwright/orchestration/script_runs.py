"""Script runs: handlers of `run()` in a script that Trainwright itself executes.

A script may be executed by `trainwright run`, by a command that only looks at its pipeline, or by a
worker that needs its definitions. In each of them, a call of `LocalDagRunner().run(...)` means
something else than in a script that Python was started with.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from trainwright.dsl.pipeline import Pipeline

if TYPE_CHECKING:
    from trainwright.orchestration.events import RunObserver
    from trainwright.orchestration.ray_dag_runner import RaySettings
    from trainwright.orchestration.run_options import RunOptions
    from trainwright.orchestration.run_result import RunResult


@dataclass(frozen=True, kw_only=True)
class RequestedRun:
    """A run that a script asks for: the arguments of `run()` and of its runner."""

    pipeline: Pipeline
    run_options: RunOptions | None
    runtime_parameters: Mapping[str, Any]
    max_parallel: int | None
    observer: RunObserver | None
    default_store: str | None
    show_output: bool | None
    keep_listed_order: bool
    engine: str | None
    ray: RaySettings | None = None  # of the cluster that it is to run on


RunHandler = Callable[[RequestedRun], "RunResult"]

_handler: RunHandler | None = None


@contextlib.contextmanager
def handled_by(handler: RunHandler | None) -> Iterator[None]:
    """Gives every `run()` to the handler, whose result or exception is that of the call.

    With None, runs are performed as they stand.
    """
    global _handler
    previous, _handler = _handler, handler
    try:
        yield
    finally:
        _handler = previous


def current_handler() -> RunHandler | None:
    return _handler


@contextlib.contextmanager
def left_out() -> Iterator[None]:
    """Leaves out the runs of a script that is only executed for its definitions.

    `run()` returns a result in which every node is still waiting, so that it is not a success, and
    what follows in the script is defined. What the script does with outputs that are not there may
    fail: that is the end of its execution, not an error.
    """
    from trainwright.orchestration.run_result import NodeState, RunResult

    was_asked = False

    def leave_out(requested: RequestedRun) -> RunResult:
        nonlocal was_asked
        was_asked = True
        states = {node.id: NodeState.WAITING for node in requested.pipeline.components}
        return RunResult(run_id="", states=states)

    try:
        with handled_by(leave_out):
            yield
    except (Exception, SystemExit):
        if not was_asked:
            raise
