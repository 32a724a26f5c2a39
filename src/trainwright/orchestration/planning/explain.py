"""Forecast of a run: for each node whether it would run, and why; nothing is written."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.base_node import BaseNode
from trainwright.dsl.importer import Importer
from trainwright.dsl.input_resolution.exceptions import SkipSignal
from trainwright.dsl.pipeline import Pipeline
from trainwright.dsl.resolver import Resolver
from trainwright.metadata.records import ExecutionRecord
from trainwright.metadata.store import MetadataStore
from trainwright.orchestration.active_runs import is_worked_on
from trainwright.orchestration.listed_order import is_users_own
from trainwright.orchestration.planning.driver import uses_cache, why_uncached
from trainwright.orchestration.planning.file_digests import FileDigests
from trainwright.orchestration.planning.node_resolution import NodeResolver
from trainwright.orchestration.planning.partial_run_inputs import find_reused_outputs
from trainwright.orchestration.planning.result_cache import ResultCache
from trainwright.orchestration.planning.skipping import asks_about, needed_inputs, why_skipped
from trainwright.orchestration.publishing.published_outputs import Records
from trainwright.orchestration.run_options import RunOptions, select_nodes


@dataclass(frozen=True, kw_only=True)
class Forecast:
    """What would become of one node.

    Args:
        node_id: The node.
        will_run: Whether its executor would run.
        reason: Why.
        reused_execution_id: The execution whose outputs would be reused instead.
        is_skipped: Whether its condition, or that of a node before it, keeps it from running.
        condition: What is not known yet and must hold, or else it is skipped.
    """

    node_id: str
    will_run: bool
    reason: str
    reused_execution_id: int | None = None
    is_skipped: bool = False
    condition: str | None = None


def explain(
    pipeline: Pipeline,
    store: MetadataStore,
    *,
    runtime_parameters: Mapping[str, Any],
    run_options: RunOptions | None = None,
    waits_for: Mapping[str, Collection[str]] | None = None,
    missing: Mapping[str, str] | None = None,
) -> list[Forecast]:
    """The forecast of each node, in the order in which they would run.

    `waits_for` are the nodes that a node waits for beside those whose outputs it takes: what they
    make may change what a Resolver finds. `missing` says, by node id, which files are not there
    yet that one of these may make.
    """
    return _Explanation(
        pipeline, store, runtime_parameters, run_options, waits_for or {}, missing or {}
    ).forecasts()


class _Explanation:
    def __init__(
        self,
        pipeline: Pipeline,
        store: MetadataStore,
        runtime_parameters: Mapping[str, Any],
        run_options: RunOptions | None,
        waits_for: Mapping[str, Collection[str]],
        missing: Mapping[str, str],
    ) -> None:
        digests = FileDigests()
        self._pipeline = pipeline
        self._store = store
        self._waits_for = waits_for
        self._missing = missing
        self._selection = select_nodes(pipeline, run_options)
        self._base_run_id = run_options.base_pipeline_run_id if run_options else None
        self._resolver = NodeResolver(
            pipeline, store=store, runtime_parameters=runtime_parameters, digests=digests
        )
        self._cache = ResultCache(store, pipeline.pipeline_name, digests)
        self._made: dict[str, Records] = {}
        self._skipped: set[str] = set()
        self._open: dict[str, list[str]] = {}
        self._running_own: list[str] = []

    def forecasts(self) -> list[Forecast]:
        return [
            self._reuse(node) if node.id in self._selection.reuse else self._forecast(node)
            for node in self._in_order()
            if node.id in self._selection.run | self._selection.reuse
        ]

    def _in_order(self) -> list[BaseNode]:
        """The nodes, each after all that it waits for."""
        pipeline = self._pipeline
        return pipeline.listed_components if self._waits_for else pipeline.components

    def _reuse(self, node: BaseNode) -> Forecast:
        name = self._pipeline.pipeline_name
        reused = find_reused_outputs(self._store, name, node, self._base_run_id)
        self._made[node.id] = reused.outputs
        return Forecast(
            node_id=node.id,
            will_run=False,
            reason="not selected",
            reused_execution_id=reused.execution.id,
        )

    def _forecast(self, node: BaseNode) -> Forecast:
        before = [other.id for other in node.upstream_nodes]
        running_before = [
            other
            for other in dict.fromkeys([*before, *self._waits_for.get(node.id, ())])
            if other in self._selection.run
            and other not in self._made
            and other not in self._skipped
        ]
        reason = why_skipped(node, self._made, self._skipped, pending=running_before)
        if reason is not None:
            self._skipped.add(node.id)
            return Forecast(node_id=node.id, will_run=False, reason=reason, is_skipped=True)
        try:
            forecast = self._forecast_work(node, running_before)
        except SkipSignal as signal:
            self._skipped.add(node.id)
            reason = f"its inputs are not to be used: {signal}"
            return Forecast(node_id=node.id, will_run=False, reason=reason, is_skipped=True)
        if forecast.will_run and is_users_own(node):
            self._running_own.append(node.id)
        conditions = self._open_conditions(node, running_before)
        if not conditions:
            return forecast
        self._open[node.id] = conditions
        return dataclasses.replace(forecast, condition=" and ".join(conditions))

    def _open_conditions(self, node: BaseNode, running_before: list[str]) -> list[str]:
        """What cannot be decided yet: the node's own conditions, and those of what it needs."""
        own = [str(one) for one in node.conditions if asks_about(one, running_before)]
        needed = {**needed_inputs(node), **node.hidden_inputs}.values()
        of_others = [
            condition
            for channel in needed
            for output in channel.producers()
            for condition in self._open.get(output.producer_id, ())
        ]
        return list(dict.fromkeys([*of_others, *own]))

    def _forecast_work(self, node: BaseNode, running_before: list[str]) -> Forecast:
        if node.id in self._missing:
            return self._forecast_without_inputs(node)
        if isinstance(node, Importer):
            return self._forecast_import(node)
        if isinstance(node, Resolver):
            return self._forecast_choice(node, running_before)
        assert isinstance(node, BaseComponent), "pipeline_check lets no other node pass"
        if not uses_cache(node, self._pipeline):
            return Forecast(node_id=node.id, will_run=True, reason=why_uncached(node))
        read = [producer for producer in running_before if self._reads_from(node, producer)]
        if read:
            names = ", ".join(read)
            return Forecast(node_id=node.id, will_run=True, reason=f"new outputs of {names}")
        answer = self._cache.look_up(self._resolver.resolve(node, self._made))
        if answer.execution is not None:
            self._made[node.id] = answer.outputs
            return Forecast(
                node_id=node.id,
                will_run=False,
                reason=answer.reason,
                reused_execution_id=answer.execution.id,
            )
        reason = self._describe_running(answer.running) or answer.reason
        return Forecast(node_id=node.id, will_run=True, reason=reason)

    def _forecast_without_inputs(self, node: BaseNode) -> Forecast:
        """Of a node that names files which are not there: a component before it may make them."""
        if self._running_own:
            expected = f"what it reads is not there yet, {', '.join(self._running_own)} may make it"
        else:
            expected = "it would fail, what it reads is not there and nothing runs that may make it"
        reason = f"{expected}: {self._missing[node.id]}"
        return Forecast(node_id=node.id, will_run=True, reason=reason)

    def _forecast_choice(self, node: Resolver, running_before: list[str]) -> Forecast:
        if running_before:
            names = ", ".join(running_before)
            return Forecast(node_id=node.id, will_run=True, reason=f"it waits for {names}")
        choice = self._resolver.choose(node, self._made)
        self._made[node.id] = choice.outputs
        reused = None
        if uses_cache(node, self._pipeline):
            reused = self._resolver.find_same_choice(node, choice)
        return Forecast(
            node_id=node.id,
            will_run=reused is None,
            reason=choice.describe(),
            reused_execution_id=reused,
        )

    def _forecast_import(self, node: Importer) -> Forecast:
        answer = self._resolver.look_up_import(node)
        is_known = answer.artifact.id is not None
        if is_known:
            self._made[node.id] = {node.output_key: [answer.artifact]}
        return Forecast(
            node_id=node.id,
            will_run=not is_known,
            reason=answer.reason,
            reused_execution_id=answer.maker_id,
        )

    def _reads_from(self, node: BaseComponent, producer_id: str) -> bool:
        return any(
            output.producer_id == producer_id
            for channel in node.inputs.values()
            for output in channel.producers()
        ) or any(asks_about(value, (producer_id,)) for value in node.placeholders.values())

    def _describe_running(self, running: list[ExecutionRecord]) -> str | None:
        now = self._store.now() if running else 0.0
        for execution in running:
            if is_worked_on(execution, now):
                return f"execution {execution.id} is doing it: it would wait and reuse that"
            return f"execution {execution.id} was left behind by a run that died"
        return None
