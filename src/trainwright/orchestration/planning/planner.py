"""Planner: decides for each node whether it is reused, run, skipped or has to wait, and why.

Nothing is written: a run performs the plans, `explain` prints them. What is special to a kind of
node is in its `NodePlanner`; the table in `Planner` is where the kinds are told apart.
"""

from __future__ import annotations

import abc
from collections.abc import Collection, Mapping
from typing import Any, Generic, TypeVar

from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.base_node import BaseNode
from trainwright.dsl.importer import Importer
from trainwright.dsl.input_resolution.exceptions import SkipSignal
from trainwright.dsl.pipeline import Pipeline
from trainwright.dsl.resolver import Resolver
from trainwright.metadata.internal_properties import NODE_ID, RUN_ID
from trainwright.metadata.records import ExecutionRecord
from trainwright.metadata.store import MetadataStore
from trainwright.orchestration.active_runs import is_own_lease, is_worked_on
from trainwright.orchestration.lookups.import_lookup import look_up_import
from trainwright.orchestration.lookups.resolver_choice import ResolverChoices
from trainwright.orchestration.planning.channel_contents import hidden_records, needs_input
from trainwright.orchestration.planning.file_digests import FileDigests
from trainwright.orchestration.planning.node_plan import (
    ComponentRun,
    ImporterRun,
    NodePlan,
    ResolverRun,
    ReusePlan,
    RunPlan,
    RunSoFar,
    SkipPlan,
    WaitPlan,
)
from trainwright.orchestration.planning.node_resolution import NodeResolver, ResolvedNode
from trainwright.orchestration.planning.result_cache import ResultCache
from trainwright.orchestration.planning.skipping import asks_about, why_skipped
from trainwright.types.channel import BaseChannel

NodeT = TypeVar("NodeT", bound=BaseNode)


class Planner:
    """Plans the nodes of one run, or of a forecast; nothing is written.

    Args:
        pipeline: What is run.
        store: What is remembered.
        runtime_parameters: Values for the pipeline's runtime parameters.
        check_again: The nodes, by id, whose properties are checked again when they start: what
            they name may have been made or changed since the run began.
    """

    def __init__(
        self,
        pipeline: Pipeline,
        store: MetadataStore,
        *,
        runtime_parameters: Mapping[str, Any],
        check_again: Collection[str] = (),
    ) -> None:
        digests = FileDigests()
        choices = ResolverChoices(store, pipeline.pipeline_name)
        resolver = NodeResolver(
            pipeline,
            store=store,
            runtime_parameters=runtime_parameters,
            digests=digests,
            choices=choices,
            check_again=check_again,
        )
        cache = ResultCache(store, pipeline.pipeline_name, digests)
        self._planners: dict[type[BaseNode], NodePlanner[Any]] = {
            BaseComponent: ComponentPlanner(pipeline, store, resolver, cache),
            Resolver: ResolverPlanner(pipeline, choices),
            Importer: ImporterPlanner(pipeline, store, runtime_parameters),
        }

    def plan(self, node: BaseNode, so_far: RunSoFar) -> NodePlan:
        """What is to become of a node, as far as the run has come.

        Raises ValueError if its inputs, properties or conditions cannot be resolved, and whatever
        a component's driver or a Resolver's strategy raises.
        """
        planner = self._planner(node)
        needed = planner.needed_inputs(node)
        reason = why_skipped(node, needed, so_far.made, so_far.skipped, so_far.pending)
        if reason is not None:
            return SkipPlan(reason=reason)
        if so_far.absent:
            return RunPlan(reason=so_far.absent)
        try:
            return planner.plan(node, so_far)
        except SkipSignal as signal:
            return SkipPlan(reason=f"its inputs are not to be used: {signal}")

    def needs_worker(self, node: BaseNode) -> bool:
        """Whether a process is started for a node that has to run."""
        return self._planner(node).NEEDS_WORKER

    def needed_inputs(self, node: BaseNode) -> dict[str, BaseChannel]:
        """The inputs without which a node cannot run, by key."""
        return self._planner(node).needed_inputs(node)

    def _planner(self, node: BaseNode) -> NodePlanner[Any]:
        for node_class in type(node).__mro__:
            if node_class in self._planners:
                return self._planners[node_class]
        raise AssertionError("pipeline_check lets no other node pass")


class NodePlanner(abc.ABC, Generic[NodeT]):
    """Plans the nodes of one kind."""

    NEEDS_WORKER = False

    @abc.abstractmethod
    def plan(self, node: NodeT, so_far: RunSoFar) -> NodePlan:
        """The plan of a node that is not skipped; SkipSignal if an input of it says otherwise."""

    def needed_inputs(self, node: NodeT) -> dict[str, BaseChannel]:
        """The inputs without which a node cannot run; a look-up looks into the past as well."""
        return {}


class ComponentPlanner(NodePlanner[BaseComponent]):
    """Looks for a finished execution of the same work, or one that is doing it."""

    NEEDS_WORKER = True

    def __init__(
        self, pipeline: Pipeline, store: MetadataStore, resolver: NodeResolver, cache: ResultCache
    ) -> None:
        self._pipeline = pipeline
        self._store = store
        self._resolver = resolver
        self._cache = cache

    def needed_inputs(self, node: BaseComponent) -> dict[str, BaseChannel]:
        return {key: channel for key, channel in node.inputs.items() if needs_input(node, key)}

    def plan(self, node: BaseComponent, so_far: RunSoFar) -> NodePlan:
        uncached = why_uncached(node, self._pipeline)
        unmade = [producer for producer in so_far.pending if _reads_from(node, producer)]
        if unmade:
            return RunPlan(reason=uncached or f"new outputs of {', '.join(unmade)}")
        if uncached is not None and so_far.is_forecast:
            self._resolver.resolve_inputs(node, so_far.made)  # they may say that it is skipped
            return RunPlan(reason=uncached)  # without reading its source files for a cache key
        resolved = self._resolver.resolve(node, so_far.made)
        if uncached is not None:
            return ComponentRun(reason=uncached, resolved=resolved)
        return self._ask_cache(resolved, so_far)

    def _ask_cache(self, resolved: ResolvedNode, so_far: RunSoFar) -> NodePlan:
        answer = self._cache.look_up(resolved)
        if answer.execution is not None:
            return ReusePlan(
                reason=answer.reason,
                outputs=answer.outputs,
                reused_execution_id=answer.execution.id,
                inputs={**resolved.inputs, **resolved.hidden},
                properties=resolved.properties_to_store,
                cache_key=resolved.cache_key,
                source_files=resolved.source_files if resolved.has_new_digests else None,
            )
        reason, now = answer.reason, self._store.now() if answer.running else 0.0
        for execution in answer.running:
            if not _is_lost(execution, so_far) and is_worked_on(execution, now):
                return WaitPlan(execution=execution)
        if answer.running:
            reason = f"execution {answer.running[0].id} was left behind by a run that died"
        return ComponentRun(
            reason=reason,
            resolved=resolved,
            last_seen=answer.last_seen,
            abandoned=tuple(answer.running),
        )


class ResolverPlanner(NodePlanner[Resolver]):
    """Lets a Resolver choose, and compares with its last choice."""

    def __init__(self, pipeline: Pipeline, choices: ResolverChoices) -> None:
        self._pipeline = pipeline
        self._choices = choices

    def plan(self, node: Resolver, so_far: RunSoFar) -> NodePlan:
        if so_far.pending:  # what they make may be chosen
            return RunPlan(reason=f"it waits for {', '.join(so_far.pending)}")
        choice = self._choices.choose(node, so_far.made)
        hidden = hidden_records(node, so_far.made)
        reused = None
        if uses_cache(node, self._pipeline):
            reused = self._choices.find_same_choice(node, choice)
        if reused is not None:
            return ReusePlan(
                reason=choice.describe(),
                outputs=choice.outputs,
                reused_execution_id=reused,
                inputs=hidden,
                properties=node.stored_properties,
            )
        return ResolverRun(
            reason=choice.describe(),
            outputs=choice.outputs,
            node=node,
            choice=choice,
            hidden=hidden,
        )


class ImporterPlanner(NodePlanner[Importer]):
    """Looks at what is at an Importer's path, and whether it was imported before."""

    def __init__(
        self, pipeline: Pipeline, store: MetadataStore, runtime_parameters: Mapping[str, Any]
    ) -> None:
        self._pipeline = pipeline
        self._store = store
        self._runtime_parameters = runtime_parameters

    def plan(self, node: Importer, so_far: RunSoFar) -> NodePlan:
        name = self._pipeline.pipeline_name
        answer = look_up_import(self._store, node, name, self._runtime_parameters)
        hidden = hidden_records(node, so_far.made)
        if answer.artifact.id is not None:
            return ReusePlan(
                reason=answer.reason,
                outputs={node.output_key: [answer.artifact]},
                reused_execution_id=answer.maker_id,
                inputs=hidden,
                properties={**node.exec_properties, "artifact_uri": answer.artifact.uri},
            )
        unpublished, now = None, self._store.now() if answer.running else 0.0
        for execution in answer.running:
            if _is_own(execution, node, so_far):
                unpublished = execution
                break
            if not node.reimport and is_worked_on(execution, now):
                return WaitPlan(execution=execution)
        return ImporterRun(
            reason=answer.reason, node=node, answer=answer, hidden=hidden, unpublished=unpublished
        )


def uses_cache(node: BaseNode, pipeline: Pipeline) -> bool:
    """Whether the node may be reused: its own switch, or else the pipeline's."""
    switch = node.options.enable_cache
    return pipeline.enable_cache if switch is None else switch


def why_uncached(node: BaseNode, pipeline: Pipeline) -> str | None:
    """Why the node may not be reused, in words; None if it may."""
    if uses_cache(node, pipeline):
        return None
    is_own_switch = node.options.enable_cache is False
    return "its own cache is off" if is_own_switch else "the pipeline's cache is off"


def _reads_from(node: BaseComponent, producer_id: str) -> bool:
    return any(
        output.producer_id == producer_id
        for channel in node.inputs.values()
        for output in channel.producers()
    ) or any(asks_about(value, (producer_id,)) for value in node.placeholders.values())


def _is_own(execution: ExecutionRecord, node: BaseNode, so_far: RunSoFar) -> bool:
    properties = execution.custom_properties
    return (properties.get(NODE_ID), properties.get(RUN_ID)) == (node.id, so_far.run_id)


def _is_lost(execution: ExecutionRecord, so_far: RunSoFar) -> bool:
    """Whether this process registered the execution for the run but never heard so from the store.

    Another process may be at work on the same run (`node_run.py`)."""
    is_own = execution.custom_properties.get(RUN_ID) == so_far.run_id and is_own_lease(execution)
    return is_own and execution.id not in so_far.registered
