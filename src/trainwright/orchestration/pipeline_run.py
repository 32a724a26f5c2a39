"""The way of a run, from the check to its result: the file to begin with.

A run is one thread. What a stage does in detail is in the module that its name comes from; the
parts of a run are put together in `running/run_parts.py`.
"""

from __future__ import annotations

import datetime
import time
from collections.abc import Mapping
from typing import Any

from trainwright.dsl.base_node import BaseNode
from trainwright.dsl.pipeline import Pipeline
from trainwright.metadata.connection import open_store
from trainwright.orchestration import active_runs
from trainwright.orchestration.events import NodeProgress, RunEventKind
from trainwright.orchestration.launching.launcher import RunningNode
from trainwright.orchestration.pipeline_check import make_root
from trainwright.orchestration.planning import node_plan
from trainwright.orchestration.planning.partial_run_inputs import ReusedOutputs
from trainwright.orchestration.run_options import RunOptions
from trainwright.orchestration.run_result import RunResult
from trainwright.orchestration.running import run_record
from trainwright.orchestration.running.run_job import RunSettings, check_job
from trainwright.orchestration.running.run_parts import RunParts
from trainwright.orchestration.running.stopping import end_overdue
from trainwright.storage import patience


@patience.of_a_run()
def run_pipeline(
    pipeline: Pipeline,
    options: RunOptions | None,
    parameters: Mapping[str, Any],
    settings: RunSettings,
) -> RunResult:
    """Runs each node of a pipeline as early as it can; ValueError if the pipeline cannot run."""
    # Check: what cannot work is refused before anything is written or started.
    job = check_job(pipeline, options, parameters, settings)
    make_root(job.root)
    with open_store(job.store) as store:
        # Without the outputs that a partial run starts from there is no run to be noted.
        reused = job.find_reused_outputs(store)
        with settings.open_report() as observer:
            run_id = datetime.datetime.now().isoformat()
            observer = run_record.begin(store, run_id, job, observer)
            run = RunParts(job, settings, run_id=run_id, store=store, observer=observer)
            try:
                with active_runs.active(run_id), run.heartbeat, run.stop.made_by_signals():
                    # Recover: a run that died may have left what this one needs, or is in its way.
                    run_record.clear_up(run.publisher, job, run_id, observer)
                    result = run_nodes(run, reused)
            except BaseException:
                run_record.break_off(store, run_id)
                raise
            # Finish: noted before it is told, so that whoever hears of the end can ask the store.
            run_record.finish(store, run_id, result, observer)
    return result


def run_nodes(run: RunParts, reused: list[ReusedOutputs]) -> RunResult:
    """Plans, launches, hears and publishes until every node is done, skipped or stopped."""
    began = time.monotonic()
    try:
        for outputs in reused:
            run.starting.reuse(outputs)
        while _advance(run):
            for running in run.launcher.hear(timeout=0.5):
                _take_news(run, running)
    finally:
        # Processes first: what still ran could go on writing where its node has been failed.
        run.launcher.close()
        run.ending.fail_what_is_left(run.launcher)
        run.work_files.close()
    return run.result(began)


def _advance(run: RunParts) -> bool:
    """Starts what can start, stops what must stop; False when nothing is left to wait for."""
    if not run.stop.is_wanted:
        end_overdue(run.launcher, run.heartbeat.take_lost())
        for node in run.schedule.ready(run.starting.has_room_for):
            _start(run, node)
    if run.stop.is_wanted:  # perhaps since the first line
        if not run.stop.has_begun:
            run.tell(RunEventKind.RUN_STOPPING)
        run.stop.end_nodes(run.launcher)
        run.schedule.cancel_waiting()
    return bool(run.launcher.running) or run.schedule.awaits_time


def _start(run: RunParts, node: BaseNode) -> None:
    # Plan: whether the node is reused, run, skipped or waits; the store knows of it then.
    began = time.monotonic()
    match run.starting.prepare(node):
        case node_plan.WaitPlan() as plan:
            run.schedule.wait_for_other(node, plan)
        case node_plan.SkipPlan() as plan:
            run.outcomes.note_skipped(node.id, plan)
        case node_plan.CachedNode() as cached:
            run.outcomes.note_cached(node.id, cached)
        case node_plan.FinishedNode() as finished:
            run.outcomes.note_finished(node.id, finished, time.monotonic() - began)
        case node_plan.StartedNode() as started:
            # Launch: every executor has a process of its own, so that none can harm the run.
            run.starting.launch(started)


def _take_news(run: RunParts, running: RunningNode) -> None:
    # Hear: what a node reports goes on as it is, under names that are the user's.
    if progress := running.take_progress():
        run.observer(NodeProgress(node=running.node.id, progress=progress))
    if running.is_done:
        # Publish, or fail. It is forgotten only then: if the store breaks, it has to be failed.
        run.ending.end(running)
        run.launcher.forget(running)
        run.heartbeat.remove(running.execution_id)
        run.schedule.note_news()
