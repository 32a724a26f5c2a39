"""One run of a pipeline: every node through driver, worker and publisher, as early as it can."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.pipeline import Pipeline
from trainwright.metadata.leases import HEARTBEAT_SECONDS
from trainwright.metadata.records import ArtifactRecord, ExecutionState
from trainwright.metadata.store import ExecutionNotRunningError, MetadataStore
from trainwright.orchestration import layout, user_code
from trainwright.orchestration.driver import CachedNode, Driver, Records, StartedNode
from trainwright.orchestration.events import RunEvent, RunEventKind, RunObserver
from trainwright.orchestration.publisher import Publisher
from trainwright.orchestration.run_result import (
    NodeFailure,
    NodeState,
    RunResult,
    describe_exit,
)
from trainwright.orchestration.tracebacks import describe_exception
from trainwright.orchestration.worker_pool import STOP_SECONDS, Worker, WorkerPool

# Plain workers, and the modules that the light zygote has at hand for them.
_PLAIN_PRELOAD = ("trainwright.orchestration.worker",)


@dataclass(eq=False)
class _RunningNode:
    node: BaseComponent
    started: StartedNode
    worker: Worker
    log: str
    began: float


class PipelineRun:
    """Runs the nodes of one pipeline side by side where the graph allows it.

    Args:
        pipeline: What to run.
        pipeline_root: Where its artifacts go.
        run_id: The run's id.
        store: What is remembered.
        runtime_parameters: Values for the pipeline's runtime parameters.
        observer: Is told what happens.
        max_parallel: How many nodes may run at once.
    """

    def __init__(
        self,
        pipeline: Pipeline,
        *,
        pipeline_root: str,
        run_id: str,
        store: MetadataStore,
        runtime_parameters: Mapping[str, Any],
        observer: RunObserver,
        max_parallel: int,
    ) -> None:
        self._nodes = [node for node in pipeline.components if isinstance(node, BaseComponent)]
        self._pipeline = pipeline
        self._root = pipeline_root
        self._run_id = run_id
        self._store = store
        self._observer = observer
        self._max_parallel = max_parallel
        self._driver = Driver(
            pipeline,
            pipeline_root=pipeline_root,
            run_id=run_id,
            store=store,
            runtime_parameters=runtime_parameters,
        )
        self._publisher = Publisher(store, pipeline_root)
        self._pool = WorkerPool()
        self._upstream = {node.id: [o.id for o in node.upstream_nodes] for node in self._nodes}
        self._states = {node.id: NodeState.WAITING for node in self._nodes}
        self._made: dict[str, Records] = {}
        self._running: dict[Worker, _RunningNode] = {}
        self._failures: list[NodeFailure] = []
        self._has_news = True
        self._interrupts = 0
        self._kill_at: float | None = None

    def interrupt(self) -> None:
        """Asks the run to stop; the second time, to stop at once. May be called by a signal."""
        self._interrupts += 1

    def run(self) -> RunResult:
        """Runs until every node is done, skipped or stopped."""
        began = time.monotonic()
        next_heartbeat = began + HEARTBEAT_SECONDS
        for execution_id in self._publisher.recover(self._pipeline.pipeline_name):
            self._tell(RunEventKind.EXECUTION_RECOVERED, execution_id=execution_id)
        try:
            while self._advance():
                for worker in self._pool.wait(timeout=0.5):
                    self._take_news(worker)
                if time.monotonic() >= next_heartbeat:
                    next_heartbeat = time.monotonic() + HEARTBEAT_SECONDS
                    ids = [running.started.execution.id for running in self._running.values()]
                    self._store.heartbeat(ids, time.time())
        finally:
            self._pool.close()
            self._fail_what_is_left()
        return RunResult(
            run_id=self._run_id,
            states=dict(self._states),
            outputs=self._made,
            failures=tuple(self._failures),
            seconds=time.monotonic() - began,
        )

    def _advance(self) -> bool:
        """Starts what can start, stops what must stop; False when nothing is left to wait for."""
        if self._interrupts:
            self._stop_running()
        elif self._has_news:
            self._has_news = False
            self._start_ready()
        return bool(self._running)

    def _start_ready(self) -> None:
        progress = True
        while progress:  # a reused node may free its successors at once
            progress = False
            for node in self._nodes:
                if self._states[node.id] is not NodeState.WAITING:
                    continue
                upstream = {other: self._states[other] for other in self._upstream[node.id]}
                broken = [
                    other
                    for other, state in upstream.items()
                    if state in (NodeState.FAILED, NodeState.SKIPPED)
                ]
                if broken:
                    self._skip(node, broken)
                    progress = True
                elif all(state.is_success for state in upstream.values()) and (
                    len(self._running) < self._max_parallel
                ):
                    self._start(node)
                    progress = True

    def _skip(self, node: BaseComponent, because_of: list[str]) -> None:
        self._states[node.id] = NodeState.SKIPPED
        self._tell(RunEventKind.NODE_SKIPPED, node.id, because_of=because_of)

    def _start(self, node: BaseComponent) -> None:
        try:
            prepared = self._driver.prepare(node, self._made)
        except Exception as error:
            # A component's driver has looked and said no: nothing was started.
            self._fail_unstarted(node, error)
            return
        if isinstance(prepared, CachedNode):
            self._states[node.id] = NodeState.CACHED
            self._made[node.id] = prepared.outputs
            self._tell(
                RunEventKind.NODE_CACHED,
                node.id,
                execution_id=prepared.execution.id,
                reused_execution_id=prepared.reused_execution_id,
                outputs=_uris(prepared.outputs),
            )
            return
        try:
            self._launch(node, prepared)
        except (ValueError, OSError) as error:
            described = describe_exception(error)
            self._fail(node.id, prepared.execution.id, described, log=None)

    def _launch(self, node: BaseComponent, started: StartedNode) -> None:
        execution_id = started.execution.id
        payload = user_code.dump_request(
            node, started.input_dict, started.output_dict, started.exec_properties
        )
        log = layout.log_path(self._root, node.id, execution_id)
        os.makedirs(os.path.dirname(log), exist_ok=True)
        worker = self._pool.start(
            self._request_header(node, execution_id),
            payload,
            log_path=log,
            preload=_preload(node),
            environment=_environment(node),
        )
        self._running[worker] = _RunningNode(node, started, worker, log, time.monotonic())
        self._states[node.id] = NodeState.RUNNING
        self._tell(RunEventKind.NODE_STARTED, node.id, execution_id=execution_id, log=log)
        self._warm_up_for_later()

    def _request_header(self, node: BaseComponent, execution_id: int) -> dict[str, Any]:
        return {
            "working_directory": os.getcwd(),
            "argv": sys.argv,
            "context": {
                "tmp_dir": layout.temporary_directory(self._root, node.id, execution_id),
                "unique_id": str(execution_id),
                "pipeline_name": self._pipeline.pipeline_name,
                "pipeline_run_id": self._run_id,
                "node_id": node.id,
                "beam_pipeline_args": self._pipeline.beam_pipeline_args,
            },
        }

    def _warm_up_for_later(self) -> None:
        """Starts importing what waiting nodes will need while the first nodes work."""
        for node in self._nodes:
            if self._states[node.id] is NodeState.WAITING and _preload(node) != _PLAIN_PRELOAD:
                self._pool.warm_up(_preload(node), _environment(node))

    def _take_news(self, worker: Worker) -> None:
        running = self._running.get(worker)
        if running is None:
            return
        progress = worker.take_progress()
        if progress:
            self._tell(RunEventKind.NODE_PROGRESS, running.node.id, **progress)
        if worker.result is None and not worker.is_over:
            return
        # A result is the last that a worker says; the end of its process need not be waited for.
        del self._running[worker]
        self._has_news = True
        try:
            self._end(running, worker)
        except ExecutionNotRunningError as error:
            # Another run took this one for dead and has cleared up after it.
            self._note_failure(running.node.id, describe_exception(error), running.log, [])

    def _end(self, running: _RunningNode, worker: Worker) -> None:
        if worker.result is not None and worker.result["ok"]:
            self._complete(running, worker.result)
        elif worker.is_stopped:
            self._cancel(running)
        elif worker.result is not None:
            self._fail_running(running, worker.result["error"])
        else:
            message = describe_exit(worker.exit_status or 0)
            self._fail_running(running, {"type": "WorkerDied", "message": message})

    def _complete(self, running: _RunningNode, result: Mapping[str, Any]) -> None:
        node_id = running.node.id
        outputs = self._publisher.publish(node_id, running.started, result)
        self._made[node_id] = outputs
        self._states[node_id] = NodeState.COMPLETE
        self._tell(
            RunEventKind.NODE_COMPLETED,
            node_id,
            execution_id=running.started.execution.id,
            seconds=time.monotonic() - running.began,
            outputs=_uris(outputs),
        )

    def _fail_running(self, running: _RunningNode, error: Mapping[str, str]) -> None:
        self._fail(running.node.id, running.started.execution.id, error, running.log)

    def _fail(
        self, node_id: str, execution_id: int, error: Mapping[str, str], log: str | None
    ) -> None:
        summary = f"{error['type']}: {error['message']}"
        kept = self._publisher.fail(node_id, execution_id, summary, ExecutionState.FAILED)
        self._note_failure(node_id, error, log, kept)

    def _fail_unstarted(self, node: BaseComponent, error: Exception) -> None:
        described = describe_exception(error)
        self._driver.record_refusal(node, f"{described['type']}: {described['message']}")
        if isinstance(error, (ValueError, FileNotFoundError)):
            described["traceback"] = ""  # the message is meant for the user and says it all
        self._note_failure(node.id, described, None, [])

    def _note_failure(
        self, node_id: str, error: Mapping[str, str], log: str | None, kept: list[str]
    ) -> None:
        failure = NodeFailure(
            node_id=node_id,
            error_type=error["type"],
            message=error["message"],
            traceback=error.get("traceback", ""),
            log=log,
            kept=tuple(kept),
        )
        self._failures.append(failure)
        self._states[node_id] = NodeState.FAILED
        self._tell(
            RunEventKind.NODE_FAILED,
            node_id,
            error=f"{failure.error_type}: {failure.message}",
            headline=f"{failure.error_type}: {failure.headline}",
            traceback=failure.traceback,
            log=log,
            kept=kept,
        )

    def _stop_running(self) -> None:
        now = time.monotonic()
        if self._kill_at is None:
            self._kill_at = now + STOP_SECONDS
            self._tell(RunEventKind.RUN_STOPPING)
            self._pool.signal_all(signal.SIGTERM)
            for node_id, state in self._states.items():
                if state is NodeState.WAITING:
                    self._states[node_id] = NodeState.CANCELED
        elif self._interrupts > 1 or now >= self._kill_at:
            self._pool.signal_all(signal.SIGKILL)

    def _cancel(self, running: _RunningNode) -> None:
        node_id, execution_id = running.node.id, running.started.execution.id
        kept = self._publisher.fail(
            node_id, execution_id, "The run was stopped.", ExecutionState.CANCELED
        )
        self._states[node_id] = NodeState.CANCELED
        self._tell(RunEventKind.NODE_CANCELED, node_id, execution_id=execution_id, kept=kept)

    def _fail_what_is_left(self) -> None:
        """If the run itself broke (a full disk, a lost store), its nodes do not stay RUNNING."""
        for running in self._running.values():
            self._publisher.fail(
                running.node.id,
                running.started.execution.id,
                "The run broke off.",
                ExecutionState.FAILED,
            )

    def _tell(self, kind: RunEventKind, node_id: str = "", **data: Any) -> None:
        self._observer(RunEvent(kind=kind, node=node_id, data=data))


def _preload(node: BaseComponent) -> tuple[str, ...]:
    return _PLAIN_PRELOAD + node.DRIVER_CLASS().preload(node)


def _environment(node: BaseComponent) -> dict[str, str]:
    """What a worker's environment adds to the runner's.

    TFX users' `tf.keras` is Keras 2; whoever set the variable has chosen already.
    """
    keras = {"TF_USE_LEGACY_KERAS": os.environ.get("TF_USE_LEGACY_KERAS", "1")}
    return {**keras, **node.environment}


def _uris(outputs: Mapping[str, list[ArtifactRecord]]) -> dict[str, list[str]]:
    return {key: [record.uri for record in records] for key, records in outputs.items()}
