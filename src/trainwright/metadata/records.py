"""Records of the metadata store: artifacts, executions, runs, contexts, and what connects them.

The names of states, event types and types are the ones TFX stores, so that what TFX users query by
is still there.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

# A property is what JSON can hold: int, float, str, bool, None, lists and dicts of these.
Properties = dict[str, Any]


class ArtifactState(enum.Enum):
    """The life of an artifact: PENDING while it is made, LIVE once published."""

    PENDING = "PENDING"
    LIVE = "LIVE"
    MARKED_FOR_DELETION = "MARKED_FOR_DELETION"
    DELETED = "DELETED"
    ABANDONED = "ABANDONED"


class ExecutionState(enum.Enum):
    """The life of an execution; everything but NEW and RUNNING is final."""

    NEW = "NEW"
    RUNNING = "RUNNING"
    COMPLETE = "COMPLETE"
    CACHED = "CACHED"
    FAILED = "FAILED"
    CANCELED = "CANCELED"

    @property
    def is_final(self) -> bool:
        return self not in (ExecutionState.NEW, ExecutionState.RUNNING)

    @property
    def is_success(self) -> bool:
        return self in (ExecutionState.COMPLETE, ExecutionState.CACHED)


class EventType(enum.Enum):
    """How an execution touched an artifact."""

    INPUT = "INPUT"
    OUTPUT = "OUTPUT"
    INTERNAL_OUTPUT = "INTERNAL_OUTPUT"
    PENDING_OUTPUT = "PENDING_OUTPUT"


@dataclass(frozen=True, kw_only=True)
class TypeRecord:
    """A type of artifact or execution: its name, its base type and its declared properties.

    `properties` maps a property's name to "INT", "DOUBLE", "STRING" or "STRUCT".
    """

    name: str
    base_type: str | None = None
    properties: Mapping[str, str] = field(default_factory=dict)


@dataclass(kw_only=True)
class ArtifactRecord:
    """An artifact as it is stored. `id` is None until the store has given it one."""

    type: TypeRecord
    uri: str
    id: int | None = None
    name: str | None = None
    state: ArtifactState = ArtifactState.PENDING
    properties: Properties = field(default_factory=dict)
    custom_properties: Properties = field(default_factory=dict)
    created_at: float = 0.0
    updated_at: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Lease:
    """Who runs an execution, and when it was last known to be alive, which the store sets.

    `process_started_at` tells the process from a later one that was given the same pid.
    """

    host: str
    pid: int
    process_started_at: float
    heartbeat_at: float = 0.0


class RunState(enum.Enum):
    """What a run says of itself; UNKNOWN if only its id is known, as of one by another program.

    A run whose process is gone still says RUNNING: see `leases.run_state`.
    """

    RUNNING = "running"
    COMPLETE = "complete"
    FAILED = "failed"
    CANCELED = "canceled"
    UNKNOWN = "unknown"


@dataclass(frozen=True, kw_only=True)
class RunNode:
    """A node of a run's pipeline.

    `upstream` are the nodes that it waits for, None if that is not known; `skip_reason` says which
    condition kept it from running.
    """

    node_id: str
    upstream: tuple[str, ...] | None = None
    skip_reason: str | None = None


@dataclass(frozen=True, kw_only=True)
class RunRecord:
    """A run as it is stored: a row of its own, beside the context that groups its executions.

    `id` is that context's. `lease` is the process that runs it, or ran it. A run with `deleted_at`
    was deleted from the history.
    """

    id: int
    run_id: str
    pipeline: str = ""
    state: RunState = RunState.UNKNOWN
    root: str = ""
    nodes: tuple[RunNode, ...] = ()
    lease: Lease | None = None
    started_at: float = 0.0
    updated_at: float = 0.0
    ended_at: float | None = None
    cancel_requested_at: float | None = None
    deleted_at: float | None = None


@dataclass(frozen=True, order=True)
class ContextKey:
    """A context by its natural key, for example `ContextKey("pipeline", "penguin")`."""

    type_name: str
    name: str


@dataclass(kw_only=True)
class ContextRecord:
    """A group of executions and artifacts: a pipeline, a run, a node, a cache key."""

    id: int
    type_name: str
    name: str
    custom_properties: Properties = field(default_factory=dict)
    created_at: float = 0.0

    @property
    def key(self) -> ContextKey:
        return ContextKey(self.type_name, self.name)


@dataclass(kw_only=True)
class ExecutionRecord:
    """An execution as it is stored."""

    id: int
    type: TypeRecord
    state: ExecutionState
    custom_properties: Properties = field(default_factory=dict)
    lease: Lease | None = None
    created_at: float = 0.0
    updated_at: float = 0.0


@dataclass(frozen=True, kw_only=True)
class EventRecord:
    """One artifact at one place (`key`, `index`) of an execution's inputs or outputs."""

    execution_id: int
    artifact_id: int
    type: EventType
    key: str
    index: int
    at: float = 0.0


class MadeArtifact(NamedTuple):
    """An artifact and who made it, in a few columns: a store may list very many of them.

    `execution_id` and `key` are of the first execution that has it as an output.
    """

    id: int
    type_name: str
    uri: str
    custom_properties: Properties
    execution_id: int
    key: str
