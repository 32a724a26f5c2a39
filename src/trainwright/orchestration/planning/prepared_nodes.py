"""What the driver has made of a node."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from trainwright.metadata.records import ExecutionRecord
from trainwright.orchestration.publishing.published_outputs import Records
from trainwright.types.artifact import Artifact


@dataclass(frozen=True, kw_only=True)
class CachedNode:
    """A node whose result is there already."""

    execution: ExecutionRecord
    reused_execution_id: int
    outputs: Records
    reason: str


@dataclass(frozen=True, kw_only=True)
class StartedNode:
    """A node that is registered as RUNNING, with all that its executor gets.

    Its directory is not made yet; the token will be the mark that it is this execution's. Failed
    attempts at the same work have left `earlier_outputs`.
    """

    execution: ExecutionRecord
    directory: str
    token: str
    input_dict: dict[str, list[Artifact]]
    output_dict: dict[str, list[Artifact]]
    exec_properties: dict[str, Any]
    earlier_outputs: dict[str, list[str]]
    reason: str


@dataclass(frozen=True, kw_only=True)
class BusyNode:
    """A node whose very work another run is doing; its result can be reused then."""

    execution: ExecutionRecord


@dataclass(frozen=True, kw_only=True)
class FinishedNode:
    """A node that needed no executor: it is done, and remembered as COMPLETE."""

    execution: ExecutionRecord
    outputs: Records
    reason: str


@dataclass(frozen=True, kw_only=True)
class SkippedNode:
    """A node that need not run in this run; the reason is in words."""

    reason: str


PreparedNode = CachedNode | StartedNode | BusyNode | FinishedNode | SkippedNode
