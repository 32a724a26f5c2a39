"""A run with what the store knows beside its history: executions, reasons, logs and pages.

What knows of files is imported when it is needed: commands import this for their `--help`, too.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

from trainwright._paths import is_remote
from trainwright._suggest import did_you_mean
from trainwright.history.errors import NotInHistoryError
from trainwright.history.run_history import NodeHistory, RunHistory, find_run
from trainwright.metadata import contexts
from trainwright.metadata.internal_properties import NODE_ID, REASON, REUSED_EXECUTION
from trainwright.metadata.records import ArtifactRecord, ExecutionRecord
from trainwright.metadata.store import MetadataStore
from trainwright.storage.errors import NoSuchBucketError, NoSuchObjectError, StorageError

# The states of a run or a node that count as failed; a run that goes on has not failed yet.
FAILED_STATES = ("failed", "died", "canceled")


@dataclass(frozen=True, kw_only=True)
class RunView:
    """A run and the newest execution of each of its nodes.

    Args:
        run: The run's history.
        executions: By node id; a node that was not reached has none.
        tokens: Those of the executions, and of those whose outputs they reuse, by execution id.
        now: The store's time at which all this was read.
    """

    run: RunHistory
    executions: dict[str, ExecutionRecord]
    tokens: dict[int, str]
    now: float

    @property
    def seconds(self) -> float | None:
        """How long the run took, or has taken until now; None if nothing of it is known."""
        if self.run.state == "running":
            return self.now - self.run.started_at
        if self.run.ended_at is not None:
            return max(self.run.ended_at - self.run.started_at, 0.0)
        ends = [execution.updated_at for execution in self.executions.values()]
        return max(max(ends) - self.run.started_at, 0.0) if ends else None

    def node_seconds(self, node: NodeHistory) -> float | None:
        execution = self.executions.get(node.node_id)
        if execution is None or node.state in ("cached", "died", "skipped"):
            return None
        if node.state == "running":
            return self.now - execution.created_at
        return node.seconds

    def reason(self, node: NodeHistory) -> str:
        """Why the node ran or did not, as the run has noted it."""
        if node.skip_reason is not None:
            return node.skip_reason
        execution = self.executions.get(node.node_id)
        return str(execution.custom_properties.get(REASON) or "") if execution else ""

    def reused_execution(self, node: NodeHistory) -> int | None:
        execution = self.executions.get(node.node_id)
        return execution.custom_properties.get(REUSED_EXECUTION) if execution else None

    def properties(self, node: NodeHistory) -> dict[str, Any]:
        """The component's own properties, without what Trainwright notes beside them."""
        execution = self.executions.get(node.node_id)
        stored = execution.custom_properties if execution else {}
        return {
            name: value
            for name, value in stored.items()
            if not name.startswith("__") and value not in (None, "null")
        }

    def made_in(self, node: NodeHistory) -> int | None:
        """The execution that made what the node has: its own, or the one that it reuses."""
        reused = self.reused_execution(node)
        return node.execution_id if reused is None else reused

    def pages(self, node: NodeHistory) -> list[str]:
        """The HTML pages of what the node has made, or reuses."""
        from trainwright.orchestration.publishing import layout

        directory = self._directory(node, self.made_in(node))
        return layout.find_pages(directory) if directory else []

    def log_path(self, node: NodeHistory) -> str | None:
        """The log of the node's own execution, if it is there; of an object store nobody asks."""
        from trainwright.orchestration.publishing import layout

        directory = self._directory(node, node.execution_id)
        path = layout.log_path(directory) if directory else ""
        return path if path and (is_remote(path) or os.path.exists(path)) else None

    def _directory(self, node: NodeHistory, execution_id: int | None) -> str | None:
        from trainwright.orchestration.publishing.claims import find_directory

        if execution_id is None or not self.run.root:
            return None
        token = self.tokens.get(execution_id)
        return find_directory(self.run.root, node.node_id, execution_id, token)


def view_run(store: MetadataStore, run: RunHistory) -> RunView:
    """Reads what a view shows beside the history."""
    from trainwright.orchestration.publishing.claims import read_tokens

    newest_first = store.get_executions(context=contexts.run_context(run.run_id))
    executions = {
        str(execution.custom_properties.get(NODE_ID)): execution
        for execution in reversed(newest_first)
    }
    own = {execution.id for execution in executions.values()}
    reused = {
        execution.custom_properties[REUSED_EXECUTION]
        for execution in executions.values()
        if REUSED_EXECUTION in execution.custom_properties
    }
    try:
        tokens = read_tokens(store, own | reused)
    except KeyError:  # a damaged row says that it reuses what never was
        tokens = read_tokens(store, own)
    return RunView(run=run, executions=executions, tokens=tokens, now=store.now())


def find_run_view(store: MetadataStore, wanted: str) -> RunView:
    """The view of a run by its id, the beginning of it, or "latest".

    Raises NotInHistoryError, which names some, if there is none or more than one.
    """
    try:
        return view_run(store, find_run(store, wanted))
    except LookupError as error:
        raise NotInHistoryError(str(error.args[0])) from error


def find_node(view: RunView, wanted: str) -> NodeHistory:
    """A node of the run by its id; raises NotInHistoryError."""
    nodes = {node.node_id: node for node in view.run.nodes}
    if wanted not in nodes:
        raise NotInHistoryError(
            f"Run {view.run.run_id} of {view.run.pipeline} has no node {wanted!r}"
            f"{did_you_mean(wanted, nodes)}"
        )
    return nodes[wanted]


def artifact_size(artifact: ArtifactRecord) -> int | None:
    """How many bytes an artifact takes; None if it is not there, or on the disk of another machine.

    Raises:
        StorageError: if the object store that it is in cannot be asked.
    """
    from trainwright.orchestration.publishing.manifest import size_of  # which reads files

    try:
        is_there = is_remote(artifact.uri) or os.path.exists(artifact.uri)
        return size_of(artifact.uri) if is_there else None
    except (NoSuchObjectError, NoSuchBucketError):
        return None
    except StorageError:
        raise
    except OSError:
        return None
