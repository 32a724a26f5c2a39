"""The way of one node, for orchestrators that run each node of a pipeline by a call of its own.

The run is what the calls have in common: its record, and the executions that bear its id, are all
that they know of each other. Each call is a run of one node otherwise (`pipeline_run.py`).
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from trainwright._suggest import did_you_mean
from trainwright.dsl.base_node import BaseNode
from trainwright.dsl.pipeline import Pipeline
from trainwright.metadata import contexts
from trainwright.metadata.connection import open_store
from trainwright.metadata.internal_properties import NODE_ID, REUSED_EXECUTION
from trainwright.metadata.leases import SHARED_LEASE, is_shared
from trainwright.metadata.records import ExecutionRecord, ExecutionState
from trainwright.metadata.store import MetadataStore
from trainwright.orchestration import active_runs
from trainwright.orchestration.pipeline_check import make_root
from trainwright.orchestration.pipeline_run import run_nodes
from trainwright.orchestration.publishing.published_outputs import (
    Records,
    find_damaged_output,
    outputs_of,
    result_of,
)
from trainwright.orchestration.run_options import RunOptions, Selection
from trainwright.orchestration.run_result import NodeState, RunResult
from trainwright.orchestration.running import run_record
from trainwright.orchestration.running.run_job import RunJob, RunSettings, check_job
from trainwright.orchestration.running.run_parts import RunParts
from trainwright.storage import patience

_RUN_ID = re.compile(r"[A-Za-z0-9][\w.:+@-]{0,199}", re.ASCII)


@patience.of_a_run()
def run_node(
    pipeline: Pipeline,
    node_id: str,
    run_id: str,
    parameters: Mapping[str, Any],
    settings: RunSettings,
) -> RunResult:
    """Runs one node of a run, unless it is done; ValueError if it cannot run as things are."""
    _check_ids(pipeline, node_id, run_id)
    job = _check_node(pipeline, node_id, parameters, settings)
    [node] = job.nodes
    make_root(job.root)
    with open_store(job.store) as store:
        so_far = _RunSoFar.read(store, pipeline, run_id)
        so_far.check_ready(node, job.waits_for.get(node_id, ()))
        done = so_far.find_done(store, node)
        if done is not None:
            _complete_if_last(store, so_far, {})
            return done
        with settings.open_report() as observer:
            all_observers = run_record.begin(store, run_id, job, observer, lease=SHARED_LEASE)
            known = dataclasses.replace(settings, made_before=so_far.made)
            run = RunParts(
                job,
                known,
                run_id=run_id,
                store=store,
                observer=all_observers,
                skipped=so_far.skipped,
            )
            with active_runs.active(run_id), run.heartbeat, run.stop.made_by_signals():
                run_record.clear_up(run.publisher, job, run_id, all_observers)
                # A command of this node that was killed may have finished it: it is published now.
                done = _RunSoFar.read(store, pipeline, run_id).find_done(store, node)
                result = run_nodes(run, []) if done is None else done
            run.launcher.close()
            _complete_if_last(store, _RunSoFar.read(store, pipeline, run_id), result.states)
            # Not to the event log: there the run goes on with the commands of other nodes, and the
            # last of them has told its end.
            run_record.tell_finished(result, observer)
    return result


def finish_run(
    pipeline: Pipeline, run_id: str, parameters: Mapping[str, Any], settings: RunSettings
) -> dict[str, NodeState]:
    """Notes what a run has come to whose commands have ended; the states of its nodes."""
    _check_ids(pipeline, None, run_id)
    first = pipeline.components[0].id
    job = _check_node(pipeline, first, parameters, settings, with_checks=False)
    with open_store(job.store, create=False) as store:
        so_far = _RunSoFar.read(store, pipeline, run_id)
        if not so_far.is_noted:
            raise ValueError(f"There is no run {run_id!r} of pipeline {pipeline.pipeline_name!r}.")
        states = so_far.states()
        busy = [one for one, state in states.items() if state is NodeState.RUNNING]
        if busy:
            raise ValueError(
                f"Run {run_id} cannot be finished while nodes are running: {', '.join(busy)}. Wait "
                "for their commands, or stop them."
            )
        so_far.end(store, so_far.state(states))
    return states


@dataclass(frozen=True, kw_only=True)
class _RunSoFar:
    """What the store knows of a run.

    Args:
        pipeline: What is run.
        executions: The execution of each node that counts: one that is finished, else the newest.
        made: The outputs of the nodes that are done.
        skipped: The nodes that were skipped, and why.
        alive: The nodes that a process is working on.
        is_noted: Whether the run is known at all.
        is_canceled: Whether somebody asked for the run to be stopped.
    """

    pipeline: Pipeline
    run_id: str
    executions: Mapping[str, ExecutionRecord]
    made: Mapping[str, Records]
    skipped: Mapping[str, str]
    alive: frozenset[str]
    is_noted: bool
    is_canceled: bool

    @classmethod
    def read(cls, store: MetadataStore, pipeline: Pipeline, run_id: str) -> _RunSoFar:
        run = store.get_run(run_id)
        name = run.pipeline if run is not None else pipeline.pipeline_name
        if name != pipeline.pipeline_name:
            raise ValueError(
                f"Run {run_id!r} is one of pipeline {name!r}, not of {pipeline.pipeline_name!r}. "
                "Give each run an id of its own."
            )
        if run is not None and not is_shared(run):
            raise ValueError(
                f"Run {run_id!r} is not one whose nodes are executed one by one: one process has "
                "begun it to run them all. Give each run an id of its own."
            )
        executions: dict[str, ExecutionRecord] = {}
        now = store.now()
        for execution in reversed(store.get_executions(context=contexts.run_context(run_id))):
            node_id = str(execution.custom_properties.get(NODE_ID, ""))
            if node_id not in executions or not _is_finished(executions[node_id]):
                executions[node_id] = execution
        nodes = {node.id: node for node in pipeline.components}
        return cls(
            pipeline=pipeline,
            run_id=run_id,
            executions=executions,
            made={
                node_id: _made(store, nodes[node_id], execution)
                for node_id, execution in executions.items()
                if node_id in nodes and _is_finished(execution)
            },
            skipped={
                node.node_id: node.skip_reason
                for node in (run.nodes if run is not None else ())
                if node.skip_reason is not None
            },
            alive=frozenset(
                node_id
                for node_id, execution in executions.items()
                if execution.state is ExecutionState.RUNNING
                and active_runs.is_worked_on(execution, now)
            ),
            is_noted=run is not None,
            is_canceled=run is not None and run.cancel_requested_at is not None,
        )

    def check_ready(self, node: BaseNode, waits_for: tuple[str, ...] | list[str]) -> None:
        """Raises ValueError if the node cannot start yet, or not any more."""
        where = f"in run {self.run_id}"
        if self.is_canceled:
            raise ValueError(f"Run {self.run_id} was canceled: {node.id} is not started.")
        if node.id in self.alive:
            lease = self.executions[node.id].lease
            at = f" by process {lease.pid} on {lease.host}" if lease else ""
            raise ValueError(f"{node.id} is being executed {where}{at} already.")
        states = self.states()
        for upstream in dict.fromkeys([*(one.id for one in node.upstream_nodes), *waits_for]):
            if not states[upstream].is_success and upstream not in self.skipped:
                how = {NodeState.FAILED: "has failed", NodeState.RUNNING: "is still running"}
                raise ValueError(
                    f"{node.id} comes after {upstream}, which "
                    f"{how.get(states[upstream], 'has not been executed')} {where}. Execute "
                    f"{upstream} first, with the same run id."
                )

    def find_done(self, store: MetadataStore, node: BaseNode) -> RunResult | None:
        """What the run has made of the node, if nothing is left to do."""
        if node.id in self.skipped:
            return RunResult(
                run_id=self.run_id,
                states={node.id: NodeState.SKIPPED},
                skipped={node.id: self.skipped[node.id]},
            )
        if node.id not in self.made:
            return None
        execution = self.executions[node.id]
        maker = int(execution.custom_properties.get(REUSED_EXECUTION, execution.id))
        if find_damaged_output(maker, self.made[node.id], result_of(store, maker)) is not None:
            return None
        return RunResult(
            run_id=self.run_id,
            states={node.id: NodeState(execution.state.value.lower())},
            outputs={node.id: self.made[node.id]},
            executions={node.id: execution.id},
        )

    def states(self) -> dict[str, NodeState]:
        """The states of all nodes, in the order of the pipeline; of one that did not start WAITING,
        or CANCELED if it never will."""
        return {node.id: self._state(node.id) for node in self.pipeline.components}

    def _state(self, node_id: str) -> NodeState:
        if node_id in self.skipped:
            return NodeState.SKIPPED
        execution = self.executions.get(node_id)
        if execution is None:
            return NodeState.CANCELED if self.is_canceled else NodeState.WAITING
        if execution.state is ExecutionState.RUNNING and node_id not in self.alive:
            return NodeState.FAILED  # its command has died
        return NodeState(execution.state.value.lower())

    def end(self, store: MetadataStore, state: str) -> None:
        """Notes what the run has come to, and tells who follows it."""
        run_record.finish_shared(store, self.run_id, state, self.states(), self.skipped)

    def state(self, states: Mapping[str, NodeState]) -> str:
        if all(state.is_success or node in self.skipped for node, state in states.items()):
            return "complete"
        was_stopped = self.is_canceled or NodeState.CANCELED in states.values()
        return "failed" if NodeState.FAILED in states.values() or not was_stopped else "canceled"


def _check_ids(pipeline: Pipeline, node_id: str | None, run_id: str) -> None:
    if not isinstance(pipeline, Pipeline):
        raise TypeError(f"Expected a Pipeline, got {pipeline!r}.")
    ids = [node.id for node in pipeline.components]
    if node_id is not None and node_id not in ids:
        raise ValueError(f"The pipeline has no node {node_id!r}{did_you_mean(node_id, ids)}")
    if not isinstance(run_id, str) or not _RUN_ID.fullmatch(run_id) or run_id == "latest":
        raise ValueError(
            f"{run_id!r:.80} cannot be the id of a run. Expected up to 200 letters, digits and "
            "characters of _.:+@-, beginning with a letter or a digit."
        )


def _check_node(
    pipeline: Pipeline,
    node_id: str,
    parameters: Mapping[str, Any],
    settings: RunSettings,
    *,
    with_checks: bool = True,
) -> RunJob:
    """The job of a run of this node alone; what it waits for is that of the whole pipeline."""
    options = RunOptions(from_nodes=[node_id], to_nodes=[node_id])
    job = check_job(pipeline, options, parameters, settings, with_checks=with_checks)
    whole = check_job(pipeline, None, parameters, settings, with_checks=False)
    selection = Selection(run=frozenset([node_id]), reuse=frozenset())
    return dataclasses.replace(job, selection=selection, waits_for=whole.waits_for)


def _complete_if_last(
    store: MetadataStore, so_far: _RunSoFar, states: Mapping[str, NodeState]
) -> None:
    """Notes that the run is complete if no node is left, or that it was stopped.

    Two commands that end at once may both note it, which is the same as once.
    """
    if so_far.state(so_far.states()) == "complete":
        so_far.end(store, "complete")
    elif NodeState.CANCELED in states.values() and not so_far.alive:
        so_far.end(store, "canceled")


def _is_finished(execution: ExecutionRecord) -> bool:
    return execution.state in (ExecutionState.COMPLETE, ExecutionState.CACHED)


def _made(store: MetadataStore, node: BaseNode, execution: ExecutionRecord) -> Records:
    outputs = outputs_of(store, execution.id)
    # A Resolver may have found nothing for a key.
    return {key: outputs.get(key, []) for key in node.outputs}
