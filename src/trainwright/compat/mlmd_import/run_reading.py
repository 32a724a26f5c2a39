"""Runs in an ml-metadata file: the pipeline, run and node of each execution."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from trainwright.compat.ml_metadata.sqlite.schema import CONTEXT_TYPE
from trainwright.compat.mlmd_import.source_file import MlmdFile
from trainwright.metadata import contexts
from trainwright.metadata.records import ExecutionState, RunNode, RunRecord, RunState

_KNOWN_CONTEXTS = f"""
SELECT s.execution_id, t.name, c.name, c.id
FROM Association AS s
JOIN Context AS c ON c.id = s.context_id
JOIN Type AS t ON t.id = c.type_id
WHERE t.type_kind = {CONTEXT_TYPE} AND t.name IN (?, ?, ?)
ORDER BY s.execution_id, c.id
"""
_FIRST_OUTPUTS = f"""
SELECT s.execution_id, s.context_id, a.uri
FROM Association AS s
JOIN Context AS c ON c.id = s.context_id
JOIN Type AS t ON t.id = c.type_id AND t.type_kind = {CONTEXT_TYPE} AND t.name = ?
JOIN Event AS e ON e.execution_id = s.execution_id AND e.type = 4
JOIN Artifact AS a ON a.id = e.artifact_id
ORDER BY s.context_id
"""


@dataclass(frozen=True, kw_only=True)
class Membership:
    """The contexts of TFX that an execution belongs to; empty where it has none."""

    pipeline: str = ""
    run_id: str = ""
    run_context: int | None = None
    node_id: str = ""


class MembershipReader:
    """Gives the memberships of executions that are asked for in the order of their ids."""

    def __init__(self, file: MlmdFile) -> None:
        known = (contexts.PIPELINE, contexts.PIPELINE_RUN, contexts.NODE)
        self._rows: Iterator[tuple[Any, ...]] = file.rows(_KNOWN_CONTEXTS, *known)
        self._next = next(self._rows, None)

    def of(self, execution_id: int) -> Membership:
        """Of an execution with a higher id than the one before."""
        names: dict[str, str] = {}
        run_context = None
        while self._next is not None and not (
            isinstance(self._next[0], int) and self._next[0] > execution_id
        ):
            owner, type_name, name, context_id = self._next
            if owner == execution_id and type_name not in names:
                names[type_name] = str(name)
                run_context = context_id if type_name == contexts.PIPELINE_RUN else run_context
            self._next = next(self._rows, None)
        pipeline, node = names.get(contexts.PIPELINE, ""), names.get(contexts.NODE, "")
        return Membership(
            pipeline=pipeline,
            run_id=names.get(contexts.PIPELINE_RUN, ""),
            run_context=run_context,
            node_id=node.removeprefix(f"{pipeline}.") if pipeline else node,
        )


@dataclass(kw_only=True)
class RunFacts:
    """What a run of Trainwright notes of itself, found from a run's executions."""

    name: str = ""
    pipeline: str = ""
    root: str = ""
    started_at: float = 0.0
    # When the last of its executions was changed.
    ended_at: float = 0.0
    # The state of each node's last execution, in the order of their first ones.
    nodes: dict[str, ExecutionState] = field(default_factory=dict)

    @property
    def state(self) -> str:
        states = set(self.nodes.values())
        if not states:
            return "unknown"
        if ExecutionState.FAILED in states:
            return "failed"
        return "canceled" if ExecutionState.CANCELED in states else "complete"

    def as_properties(self) -> dict[str, Any]:
        """As they stand in the context of a run."""
        facts = {"pipeline": self.pipeline, "state": self.state, "nodes": list(self.nodes)}
        return {**facts, "root": self.root} if self.root else facts

    def as_record(self, context_id: int) -> RunRecord:
        ended_at = max(self.started_at, self.ended_at) if self.nodes else None
        return RunRecord(
            id=context_id,
            run_id=self.name,
            pipeline=self.pipeline,
            state=RunState(self.state),
            root=self.root,
            nodes=tuple(RunNode(node_id=node_id) for node_id in self.nodes),
            started_at=self.started_at,
            updated_at=ended_at or self.started_at,
            ended_at=ended_at,
        )


def read_roots(file: MlmdFile, nodes: dict[int, str]) -> dict[int, str]:
    """The pipeline root of each run, by the id of its context, where outputs lie as TFX puts them.

    Args:
        file: The file.
        nodes: The node of each execution, by the execution's id.
    """
    roots: dict[int, str] = {}
    for execution_id, context_id, uri in file.rows(_FIRST_OUTPUTS, contexts.PIPELINE_RUN):
        if context_id in roots or not isinstance(uri, str):
            continue
        above, leaf = os.path.split(uri.rstrip("/"))
        root, node_id = os.path.split(os.path.dirname(above))
        if leaf == str(execution_id) and node_id == nodes.get(execution_id) and root:
            roots[context_id] = root
    return roots
