"""Plan of a node: reuse, run, skip or wait, and why; and what came of a plan that was performed.

A plan is made by `planner.py`, which writes nothing, and has all that it takes to perform it. The
driver performs it; `explain` prints it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.importer import Importer
from trainwright.dsl.resolver import Resolver
from trainwright.metadata.records import ExecutionRecord
from trainwright.orchestration.lookups.import_lookup import ImportAnswer
from trainwright.orchestration.lookups.resolver_choice import Choice
from trainwright.orchestration.planning.node_resolution import ResolvedNode
from trainwright.orchestration.publishing import layout
from trainwright.orchestration.publishing.manifest import Manifest
from trainwright.orchestration.publishing.published_outputs import Records
from trainwright.orchestration.publishing.publisher import EarlierAttempts
from trainwright.types.artifact import Artifact


@dataclass(frozen=True, kw_only=True)
class RunSoFar:
    """What is known of a run when one of its nodes is planned.

    Args:
        made: The outputs of the nodes that are done, by node id.
        skipped: The nodes that were skipped.
        pending: The nodes before it that are still to run. In a run there are none, as a node waits
            for them; a forecast cannot know what they will make.
        absent: In words, which files are not there yet that another node may make. Only a forecast
            has these, too.
        run_id: The run; empty in a forecast.
        registered: The executions that the run has registered.
    """

    made: Mapping[str, Records]
    skipped: Collection[str] = ()
    pending: Collection[str] = ()
    absent: str = ""
    run_id: str = ""
    registered: Collection[int] = ()

    @property
    def is_forecast(self) -> bool:
        return not self.run_id


@dataclass(frozen=True, kw_only=True)
class SkipPlan:
    """The node is not to run: its condition does not hold, or what it needs was skipped."""

    reason: str


@dataclass(frozen=True, kw_only=True)
class WaitPlan:
    """Another run is doing this very work; its result can be reused then."""

    execution: ExecutionRecord

    @property
    def reason(self) -> str:
        return f"execution {self.execution.id} is doing it: it would wait and reuse that"


@dataclass(frozen=True, kw_only=True)
class ReusePlan:
    """The node's result is there already.

    Args:
        reason: Why it can be reused.
        outputs: The result.
        reused_execution_id: The execution that made it; None if the store does not know.
        inputs: The artifacts that the node reads, or its conditions look at, by key.
        properties: The values that are remembered with the node.
        cache_key: The key by which the result was found, if it was found by one.
        source_files: The digests of source files, if the next run should remember new ones.
    """

    reason: str
    outputs: Records
    reused_execution_id: int | None
    inputs: Records
    properties: Mapping[str, Any]
    cache_key: str | None = None
    source_files: Mapping[str, list[Any]] | None = None


@dataclass(frozen=True, kw_only=True)
class RunPlan:
    """The node has to run. A plan of this very class is a forecast's: on what it will work is not
    known yet, or was not looked at.

    Args:
        reason: Why nothing can be reused.
        outputs: What it will have made, if that is known before.
    """

    reason: str
    outputs: Records | None = None


@dataclass(frozen=True, kw_only=True)
class ComponentRun(RunPlan):
    """An executor has to run.

    Args:
        resolved: What it gets.
        last_seen: The newest execution of the same work that the cache knew of, 0 if none: a later
            one overtakes the plan. None if the node does not use the cache.
        abandoned: Executions of the same work that nobody is doing any more. They are ended first;
            one may have left its result, so the node is planned anew.
    """

    resolved: ResolvedNode
    last_seen: int | None = None
    abandoned: tuple[ExecutionRecord, ...] = ()


@dataclass(frozen=True, kw_only=True)
class ResolverRun(RunPlan):
    """A Resolver's choice has to be recorded; `hidden` is what its conditions look at."""

    node: Resolver
    choice: Choice
    hidden: Records


@dataclass(frozen=True, kw_only=True)
class ImporterRun(RunPlan):
    """What is at an Importer's path has to be registered.

    Args:
        node: The Importer.
        answer: What is known of it.
        hidden: The artifacts that the node's conditions look at.
        unpublished: This run's own execution, if the store went away before it was published.
    """

    node: Importer
    answer: ImportAnswer
    hidden: Records
    unpublished: ExecutionRecord | None = None


NodePlan = SkipPlan | WaitPlan | ReusePlan | RunPlan


@dataclass(frozen=True, kw_only=True)
class CachedNode:
    """A node whose result was reused, and is remembered as CACHED."""

    execution: ExecutionRecord
    reused_execution_id: int
    outputs: Records
    reason: str


@dataclass(frozen=True, kw_only=True)
class StartedNode:
    """A node that is registered as RUNNING, with all that its executor gets.

    Its directory is not made yet; the token will be the mark that it is this execution's. `earlier`
    is what failed attempts at the same work have left. `input_manifests` says of what the inputs
    that lie in an object store are made, by URI, as far as it is known.
    """

    node: BaseComponent
    execution: ExecutionRecord
    directory: str
    token: str
    input_dict: dict[str, list[Artifact]]
    output_dict: dict[str, list[Artifact]]
    exec_properties: dict[str, Any]
    earlier: EarlierAttempts
    reason: str
    input_manifests: Mapping[str, Manifest] = field(default_factory=dict)

    @property
    def kept_places(self) -> dict[str, list[str]]:
        """Where outputs belong that are worth keeping although the node fails, by key."""
        return {
            key: [layout.output_directory(artifact.uri) for artifact in artifacts]
            for key, artifacts in self.output_dict.items()
            if self.node.outputs[key].type.KEPT_ON_FAILURE
        }


@dataclass(frozen=True, kw_only=True)
class FinishedNode:
    """A node that needed no executor: it is done, and remembered as COMPLETE."""

    execution: ExecutionRecord
    outputs: Records
    reason: str


# A plan to wait or to skip is what comes of it, too.
PreparedNode = CachedNode | StartedNode | FinishedNode | WaitPlan | SkipPlan
