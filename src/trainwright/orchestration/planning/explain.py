"""Forecast of a run: for each node whether it would run, and why; nothing is written."""

from __future__ import annotations

from dataclasses import dataclass

from trainwright.dsl.base_node import BaseNode
from trainwright.metadata.store import MetadataStore
from trainwright.orchestration.listed_order import is_users_own
from trainwright.orchestration.planning.node_plan import ReusePlan, RunPlan, RunSoFar, SkipPlan
from trainwright.orchestration.planning.partial_run_inputs import ReusedOutputs
from trainwright.orchestration.planning.planner import Planner
from trainwright.orchestration.planning.skipping import asks_about
from trainwright.orchestration.publishing.published_outputs import Records
from trainwright.orchestration.running.run_job import RunJob


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


def explain(job: RunJob, store: MetadataStore) -> list[Forecast]:
    """The forecast of each node, in the order in which they would run."""
    return _Explanation(job, store).forecasts()


class _Explanation:
    def __init__(self, job: RunJob, store: MetadataStore) -> None:
        self._job = job
        self._store = store
        self._planner = Planner(job.pipeline, store, runtime_parameters=job.parameters)
        self._made: dict[str, Records] = {}
        self._skipped: set[str] = set()
        self._open: dict[str, list[str]] = {}  # the conditions that a node waits for
        self._running_own: list[str] = []

    def forecasts(self) -> list[Forecast]:
        reused = {one.node.id: one for one in self._job.find_reused_outputs(self._store)}
        return [
            self._reuse(reused[node.id]) if node.id in reused else self._forecast(node)
            for node in self._in_order()
            if node.id in reused or node.id in self._job.selection.run
        ]

    def _in_order(self) -> list[BaseNode]:
        """The nodes, each after all that it waits for."""
        pipeline = self._job.pipeline
        return pipeline.listed_components if self._job.waits_for else pipeline.components

    def _reuse(self, reused: ReusedOutputs) -> Forecast:
        self._made[reused.node.id] = reused.outputs
        return Forecast(
            node_id=reused.node.id,
            will_run=False,
            reason="not selected",
            reused_execution_id=reused.execution.id,
        )

    def _forecast(self, node: BaseNode) -> Forecast:
        pending = self._pending(node)
        so_far = RunSoFar(
            made=self._made, skipped=self._skipped, pending=pending, absent=self._absent(node)
        )
        plan = self._planner.plan(node, so_far)
        if isinstance(plan, SkipPlan):
            self._skipped.add(node.id)
            return Forecast(node_id=node.id, will_run=False, reason=plan.reason, is_skipped=True)
        is_reused = isinstance(plan, ReusePlan)
        if not is_reused and is_users_own(node):
            self._running_own.append(node.id)
        if isinstance(plan, (ReusePlan, RunPlan)) and plan.outputs is not None:
            self._made[node.id] = plan.outputs
        conditions = self._open[node.id] = self._open_conditions(node, pending)
        return Forecast(
            node_id=node.id,
            will_run=not is_reused,
            reason=plan.reason,
            reused_execution_id=plan.reused_execution_id if isinstance(plan, ReusePlan) else None,
            condition=" and ".join(conditions) or None,
        )

    def _pending(self, node: BaseNode) -> list[str]:
        """The nodes before it whose outputs are not known, as they would run first."""
        job = self._job
        before = [*(other.id for other in node.upstream_nodes), *job.waits_for.get(node.id, ())]
        return [
            other
            for other in dict.fromkeys(before)
            if other in job.selection.run and other not in self._made and other not in self._skipped
        ]

    def _absent(self, node: BaseNode) -> str:
        """Which files a node names that are not there: a component before it may make them."""
        if node.id not in self._job.missing:
            return ""
        if self._running_own:
            expected = f"what it reads is not there yet, {', '.join(self._running_own)} may make it"
        else:
            expected = "it would fail, what it reads is not there and nothing runs that may make it"
        return f"{expected}: {self._job.missing[node.id]}"

    def _open_conditions(self, node: BaseNode, pending: list[str]) -> list[str]:
        """What cannot be decided yet: the node's own conditions, and those of what it needs."""
        own = [str(one) for one in node.conditions if asks_about(one, pending)]
        needed = {**self._planner.needed_inputs(node), **node.hidden_inputs}.values()
        of_others = [
            condition
            for channel in needed
            for output in channel.producers()
            for condition in self._open.get(output.producer_id, ())
        ]
        return list(dict.fromkeys([*of_others, *own]))
