"""Outcomes of a run's nodes: their states, outputs and failures, told to the observer as they come.

Only noted here: what the store has to know was written to it before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from trainwright.dsl.base_node import BaseNode
from trainwright.metadata.records import ArtifactRecord
from trainwright.orchestration.events import RunEventKind
from trainwright.orchestration.execution.tracebacks import with_notebook_lines
from trainwright.orchestration.planning.node_plan import CachedNode, FinishedNode, SkipPlan
from trainwright.orchestration.publishing.published_outputs import Records
from trainwright.orchestration.run_result import NodeFailure, NodeState


class Outcomes:
    """What became of the nodes of a run so far.

    Args:
        nodes: The nodes to run.
        made_before: What nodes outside of the run have made, by node id, where nothing is noted of
            them.
        tell: Tells the run's observer of an event.
    """

    def __init__(
        self,
        nodes: Iterable[BaseNode],
        made_before: Mapping[str, Records],
        tell: Callable[..., Any],
    ) -> None:
        self._tell = tell
        self.states = {node.id: NodeState.WAITING for node in nodes}
        self.skipped: dict[str, str] = {}  # by their conditions, and why
        self.made: dict[str, Records] = dict(made_before)
        self.executions: dict[str, int] = {}
        self.made_by: dict[str, int] = {}  # the executions that have made the nodes' outputs
        self.failures: list[NodeFailure] = []
        self.warnings: list[str] = []
        self._has_other_store = False
        self._given_up: dict[str, list[str]] = {}  # and the nodes whose failure it was

    def is_broken(self, node_id: str) -> bool:
        """Whether nothing can come after a node; what comes after one that its condition has
        skipped is for the planner to judge."""
        return node_id in self._given_up or self.states[node_id] is NodeState.FAILED

    def give_up(self, node_id: str, broken: list[str]) -> None:
        """Skips a node because of those that failed, however far before it."""
        failed = [one for other in broken for one in self._given_up.get(other, [other])]
        because_of = self._given_up[node_id] = list(dict.fromkeys(failed))
        self.states[node_id] = NodeState.SKIPPED
        self._tell(RunEventKind.NODE_SKIPPED, node_id, because_of=because_of)

    def note_cached(self, node_id: str, cached: CachedNode) -> None:
        self.states[node_id] = NodeState.CACHED
        self.executions[node_id] = cached.execution.id
        self.made[node_id] = cached.outputs
        self.made_by[node_id] = cached.reused_execution_id
        self._tell(
            RunEventKind.NODE_CACHED,
            node_id,
            execution_id=cached.execution.id,
            reused_execution_id=cached.reused_execution_id,
            reason=cached.reason,
            outputs=_uris(cached.outputs),
        )

    def note_skipped(self, node_id: str, skipped: SkipPlan) -> None:
        self.states[node_id] = NodeState.SKIPPED
        self.skipped[node_id] = skipped.reason
        self._tell(RunEventKind.NODE_SKIPPED, node_id, reason=skipped.reason)

    def note_finished(self, node_id: str, finished: FinishedNode, seconds: float) -> None:
        """Of a node that needed no executor."""
        self.states[node_id] = NodeState.COMPLETE
        self.executions[node_id] = finished.execution.id
        self.made[node_id] = finished.outputs
        self._tell(
            RunEventKind.NODE_COMPLETED,
            node_id,
            execution_id=finished.execution.id,
            seconds=seconds,
            reason=finished.reason,
            outputs=_uris(finished.outputs),
        )

    def note_started(self, node_id: str, execution_id: int, reason: str, log: str) -> None:
        self.states[node_id] = NodeState.RUNNING
        self._tell(
            RunEventKind.NODE_STARTED, node_id, execution_id=execution_id, reason=reason, log=log
        )

    def note_completed(
        self, node_id: str, execution_id: int, outputs: Records, seconds: float
    ) -> None:
        """Of a node whose executor has run."""
        self.made[node_id] = outputs
        self.executions[node_id] = self.made_by[node_id] = execution_id
        self.states[node_id] = NodeState.COMPLETE
        self._tell(
            RunEventKind.NODE_COMPLETED,
            node_id,
            execution_id=execution_id,
            seconds=seconds,
            outputs=_uris(outputs),
        )

    def note_canceled(self, node_id: str, execution_id: int, kept: list[str]) -> None:
        self.states[node_id] = NodeState.CANCELED
        self._tell(RunEventKind.NODE_CANCELED, node_id, execution_id=execution_id, kept=kept)

    def note_failure(
        self, node_id: str, error: Mapping[str, str], log: str | None, kept: list[str]
    ) -> None:
        failure = NodeFailure(
            node_id=node_id,
            error_type=error["type"],
            message=error["message"],
            traceback=with_notebook_lines(error.get("traceback", "")),
            log=log,
            kept=tuple(kept),
            exception_classes=error.get("classes", ""),
            exception_arguments=error.get("arguments", ""),
            exception_attributes=error.get("attributes", ""),
        )
        self.failures.append(failure)
        self.states[node_id] = NodeState.FAILED
        self._tell(
            RunEventKind.NODE_FAILED,
            node_id,
            error=f"{failure.error_type}: {failure.message}",
            headline=f"{failure.error_type}: {failure.headline}",
            traceback=failure.traceback,
            log=log,
            kept=kept,
        )

    def note_other_store(self, node_id: str, directory: str, address: str) -> None:
        """Warns, once, of another store that has executions below the same root."""
        if self._has_other_store:
            return
        self._has_other_store = True
        self._tell(
            RunEventKind.NODE_WARNING,
            node_id,
            message=f"another metadata store, {address}, has executions below the same root. This "
            f"run does not know them and reuses none of them; it works beside them, in {directory} "
            "for example. To go on from them, run with that store (--store, or "
            "metadata_connection_config).",
        )

    def note_changed_inputs(self, node_id: str, changes: Iterable[str]) -> None:
        for change in changes:
            warning = (
                f"While {node_id} ran, {change}. Other nodes may read the same, and the next run "
                "makes it again. An executor that changes an input should change a copy of it."
            )
            self.warnings.append(warning)
            self._tell(RunEventKind.INPUT_CHANGED, of_node=node_id, warning=warning)


def _uris(outputs: Mapping[str, list[ArtifactRecord]]) -> dict[str, list[str]]:
    return {key: [record.uri for record in records] for key, records in outputs.items()}
