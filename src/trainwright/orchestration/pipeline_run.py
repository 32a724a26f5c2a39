"""One run of a pipeline: every node through driver, worker and publisher, as early as it can."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.base_node import BaseNode
from trainwright.metadata.artifact_records import artifact_type_record
from trainwright.metadata.records import ArtifactRecord, ExecutionState
from trainwright.metadata.store import (
    NO_ATTACHMENTS,
    ExecutionNotRunningError,
    MetadataError,
    StoreUnavailableError,
)
from trainwright.orchestration.events import (
    NodeProgress,
    RunEvent,
    RunEventKind,
    RunObserver,
)
from trainwright.orchestration.execution.tracebacks import describe_exception, with_notebook_lines
from trainwright.orchestration.heartbeat import Heartbeat
from trainwright.orchestration.launching.node_launcher import NodeLauncher
from trainwright.orchestration.launching.worker_pool import STOP_SECONDS, Worker, WorkerPool
from trainwright.orchestration.planning import lookup_stop
from trainwright.orchestration.planning.driver import Driver
from trainwright.orchestration.planning.lookup_stop import LookupStopped, stoppable
from trainwright.orchestration.planning.partial_run_inputs import Loan
from trainwright.orchestration.planning.prepared_nodes import (
    BusyNode,
    CachedNode,
    FinishedNode,
    SkippedNode,
    StartedNode,
)
from trainwright.orchestration.publishing import claims, layout
from trainwright.orchestration.publishing.claims import PlaceTakenError
from trainwright.orchestration.publishing.plain_files import open_plain
from trainwright.orchestration.publishing.published_outputs import Records
from trainwright.orchestration.publishing.publisher import (
    Publisher,
    UnpublishableResultError,
    describe_stray,
)
from trainwright.orchestration.publishing.result_file import read_result, take_failure
from trainwright.orchestration.run_result import (
    NodeFailure,
    NodeState,
    RunResult,
    describe_exit,
)

# How long a run waits for a store that has gone away before it gives up.
STORE_PATIENCE_SECONDS = 600.0
_LONGEST_STORE_WAIT_SECONDS = 10.0
# How often a node asks whether another run has finished the same work.
_LOOK_AGAIN_SECONDS = 1.0

_T = TypeVar("_T")


@dataclass(eq=False)
class _RunningNode:
    node: BaseComponent
    started: StartedNode
    worker: Worker
    log: str
    began: float
    kill_at: float | None = None  # set when its time is over
    progress: dict[str, Any] = field(default_factory=dict)  # the last value of each name

    @property
    def execution_id(self) -> int:
        return self.started.execution.id


class PipelineRun:
    """Runs nodes side by side where the graph allows it.

    Args:
        nodes: The nodes to run.
        waits_for: The nodes that a node waits for beside those whose outputs it takes, by node id.
        loans: What nodes outside of this run lend to them.
        made_before: What nodes outside of it have made, by node id, where nothing is noted of them.
        run_id: The run's id.
        driver: Prepares a node.
        launcher: Starts a prepared node in a worker of the pool.
        pool: The worker processes.
        publisher: Ends a node.
        heartbeat: Keeps the leases of running nodes alive.
        observer: Is told what happens.
        max_parallel: How many nodes may run at once.
    """

    def __init__(
        self,
        nodes: Iterable[BaseNode],
        *,
        waits_for: Mapping[str, Collection[str]],
        loans: Iterable[Loan],
        made_before: Mapping[str, Records],
        run_id: str,
        driver: Driver,
        launcher: NodeLauncher,
        pool: WorkerPool,
        publisher: Publisher,
        heartbeat: Heartbeat,
        observer: RunObserver,
        max_parallel: int,
    ) -> None:
        self._nodes = list(nodes)
        self._loans = list(loans)
        self._run_id = run_id
        self._driver = driver
        self._launcher = launcher
        self._pool = pool
        self._publisher = publisher
        self._heartbeat = heartbeat
        self._observer = observer
        self._max_parallel = max_parallel
        known = {node.id for node in self._nodes}
        self._upstream = {
            node.id: [
                other
                for other in (*(one.id for one in node.upstream_nodes), *waits_for.get(node.id, ()))
                if other in known
            ]
            for node in self._nodes
        }
        self._states = {node.id: NodeState.WAITING for node in self._nodes}
        self._skipped: dict[str, str] = {}  # by their conditions, and why
        self._given_up: dict[str, list[str]] = {}  # and the nodes whose failure it was
        self._made: dict[str, Records] = dict(made_before)
        self._executions: dict[str, int] = {}
        self._made_by: dict[str, int] = {}  # the executions that have made the nodes' outputs
        self._running: dict[Worker, _RunningNode] = {}
        # Nodes that could start but for time: they wait for a retry or for another run's work.
        self._not_before: dict[str, float] = {}
        self._attempts: dict[str, int] = {}
        self._busy_with: dict[str, int] = {}
        self._failures: list[NodeFailure] = []
        self._warnings: list[str] = []
        self._has_news = True
        self._interrupts = 0
        self._kill_at: float | None = None

    def interrupt(self) -> None:
        """Asks the run to stop; the second time, to stop at once. May be called by a signal."""
        self._interrupts += 1
        lookup_stop.interrupt()

    def cancel(self) -> None:
        """Asks the run to stop, unless it is stopping already. May be called by another thread."""
        self._interrupts = max(self._interrupts, 1)

    def run(self) -> RunResult:
        """Runs until every node is done, skipped or stopped."""
        began = time.monotonic()
        try:
            for loan in self._loans:
                self._borrow(loan)
            while self._advance():
                for worker in self._pool.wait(timeout=0.5):
                    self._take_news(worker)
        finally:
            self._pool.close()
            self._fail_what_is_left()
        return RunResult(
            run_id=self._run_id,
            states=dict(self._states),
            outputs=self._made,
            executions=dict(self._executions),
            pages=self._find_pages(),
            root=self._publisher.root,
            skipped=dict(self._skipped),
            failures=tuple(self._failures),
            warnings=tuple(self._warnings),
            seconds=time.monotonic() - began,
        )

    def _borrow(self, loan: Loan) -> None:
        reuse = self._driver.reuse_from_before
        self._note_cached(
            loan.node.id, self._patiently(lambda: reuse(loan.node, loan.execution, loan.outputs))
        )

    def _advance(self) -> bool:
        """Starts what can start, stops what must stop; False when nothing is left to wait for."""
        if not self._interrupts:
            self._end_overdue()
            now = time.monotonic()
            if self._has_news or any(now >= due for due in self._not_before.values()):
                self._has_news = False
                self._start_ready()
        if self._interrupts:  # perhaps since the first line
            self._stop_running()
        return bool(self._running or self._not_before)

    def _start_ready(self) -> None:
        progress = True
        while progress:  # a reused node may free its successors at once
            progress = False
            for node in self._nodes:
                if self._states[node.id] is not NodeState.WAITING or self._interrupts:
                    continue
                upstream = {other: self._states[other] for other in self._upstream[node.id]}
                broken = [other for other in upstream if self._is_broken(other)]
                if broken:
                    self._give_up(node, broken)
                    progress = True
                elif self._can_start(node, upstream.values()):
                    progress |= self._start(node)

    def _is_broken(self, node_id: str) -> bool:
        """Whether nothing can come after a node; what comes after one that its condition has
        skipped is for the driver to judge."""
        return node_id in self._given_up or self._states[node_id] is NodeState.FAILED

    def _can_start(self, node: BaseNode, upstream: Iterable[NodeState]) -> bool:
        return (
            all(state.is_success or state is NodeState.SKIPPED for state in upstream)
            and (len(self._running) < self._max_parallel or not isinstance(node, BaseComponent))
            and time.monotonic() >= self._not_before.get(node.id, 0.0)
        )

    def _give_up(self, node: BaseNode, broken: list[str]) -> None:
        """Skips a node because of those that failed, however far before it."""
        failed = [one for other in broken for one in self._given_up.get(other, [other])]
        because_of = self._given_up[node.id] = list(dict.fromkeys(failed))
        self._states[node.id] = NodeState.SKIPPED
        self._tell(RunEventKind.NODE_SKIPPED, node.id, because_of=because_of)

    def _start(self, node: BaseNode) -> bool:
        """Reuses or starts the node; False if it has to wait for another run's work or the run
        was stopped meanwhile."""
        self._not_before.pop(node.id, None)
        began = time.monotonic()
        try:
            with stoppable(lambda: self._interrupts > 0):
                prepared = self._patiently(lambda: self._driver.prepare(node, self._made))
        except LookupStopped:
            return False
        except MetadataError:
            raise
        except Exception as error:
            # A component's driver has looked and said no: nothing was started.
            self._fail_unstarted(node, error)
            return True
        if isinstance(prepared, BusyNode):
            self._wait_for_other(node, prepared)
            return False
        self._busy_with.pop(node.id, None)
        if isinstance(prepared, CachedNode):
            self._note_cached(node.id, prepared)
        elif isinstance(prepared, SkippedNode):
            self._note_skipped(node.id, prepared)
        elif isinstance(prepared, FinishedNode):
            self._note_finished(node.id, prepared, time.monotonic() - began)
        else:
            assert isinstance(node, BaseComponent), "only components have executors"
            self._launch(node, prepared)
        return True

    def _wait_for_other(self, node: BaseNode, busy: BusyNode) -> None:
        self._not_before[node.id] = time.monotonic() + _LOOK_AGAIN_SECONDS
        if self._busy_with.get(node.id) != busy.execution.id:
            self._busy_with[node.id] = busy.execution.id
            host = busy.execution.lease.host if busy.execution.lease else ""
            self._tell(
                RunEventKind.NODE_WAITING, node.id, execution_id=busy.execution.id, host=host
            )

    def _note_cached(self, node_id: str, cached: CachedNode) -> None:
        self._states[node_id] = NodeState.CACHED
        self._executions[node_id] = cached.execution.id
        self._made[node_id] = cached.outputs
        self._made_by[node_id] = cached.reused_execution_id
        self._tell(
            RunEventKind.NODE_CACHED,
            node_id,
            execution_id=cached.execution.id,
            reused_execution_id=cached.reused_execution_id,
            reason=cached.reason,
            outputs=_uris(cached.outputs),
        )

    def _find_pages(self) -> dict[str, list[str]]:
        """The pages of the nodes that have some; all at once, as the store has to be asked."""
        root, store = self._publisher.root, self._publisher.store
        tokens = self._patiently(lambda: claims.read_tokens(store, self._made_by.values()))
        pages: dict[str, list[str]] = {}
        for node_id, execution_id in self._made_by.items():
            token = tokens.get(execution_id)
            directory = claims.find_directory(root, node_id, execution_id, token)
            found = layout.find_pages(directory) if directory else []
            if found:
                pages[node_id] = found
        return pages

    def _note_skipped(self, node_id: str, skipped: SkippedNode) -> None:
        self._states[node_id] = NodeState.SKIPPED
        self._skipped[node_id] = skipped.reason
        self._tell(RunEventKind.NODE_SKIPPED, node_id, reason=skipped.reason)

    def _note_finished(self, node_id: str, finished: FinishedNode, seconds: float) -> None:
        self._states[node_id] = NodeState.COMPLETE
        self._executions[node_id] = finished.execution.id
        self._made[node_id] = finished.outputs
        self._tell(
            RunEventKind.NODE_COMPLETED,
            node_id,
            execution_id=finished.execution.id,
            seconds=seconds,
            reason=finished.reason,
            outputs=_uris(finished.outputs),
        )

    def _launch(self, node: BaseComponent, started: StartedNode) -> None:
        execution_id = started.execution.id
        try:
            worker = self._launcher.launch(node, started)
        except PlaceTakenError as error:
            self._number_anew(node, execution_id, str(error))
            return
        except (ValueError, OSError) as error:
            # No code of the user's was running: the message says it all.
            self._fail(node, execution_id, {**describe_exception(error), "traceback": ""}, log=None)
            return
        self._heartbeat.add(execution_id)
        log = layout.log_path(started.directory)
        self._running[worker] = _RunningNode(node, started, worker, log, time.monotonic())
        self._states[node.id] = NodeState.RUNNING
        self._tell(
            RunEventKind.NODE_STARTED,
            node.id,
            execution_id=execution_id,
            reason=started.reason,
            log=log,
        )
        self._launcher.warm_up(
            node for node in self._nodes if self._states[node.id] is NodeState.WAITING
        )

    def _number_anew(self, node: BaseComponent, execution_id: int, problem: str) -> None:
        """Lets a node whose directory another store has just taken start as another execution."""
        fail = self._publisher.fail
        failed = ExecutionState.FAILED
        self._patiently(lambda: fail(node.id, execution_id, problem, failed))
        self._not_before[node.id] = time.monotonic()

    def _end_overdue(self) -> None:
        """Ends what takes longer than it may, and what another run has taken over."""
        now, lost = time.monotonic(), self._heartbeat.take_lost()
        for running in self._running.values():
            timeout = running.node.options.timeout_seconds
            is_late = running.kill_at is not None and now >= running.kill_at
            if is_late or running.execution_id in lost:
                running.worker.signal(signal.SIGKILL)
            elif running.kill_at is None and timeout and now - running.began > timeout:
                running.kill_at = now + STOP_SECONDS
                running.worker.signal(signal.SIGTERM)

    def _take_news(self, worker: Worker) -> None:
        running = self._running.get(worker)
        if running is None:
            return
        progress = worker.take_progress()
        if progress:
            running.progress.update(progress)
            self._observer(NodeProgress(node=running.node.id, progress=dict(progress)))
        if worker.result is None and not worker.is_over:
            return
        # A result is the last that a worker says; the end of its process need not be waited for.
        try:
            self._end(running, worker)
        except ExecutionNotRunningError as error:
            # Another run took this one for dead and has cleared up after it.
            self._note_failure(running.node.id, describe_exception(error), running.log, [])
        # Only now: if the store broke, the node is still there to be failed.
        del self._running[worker]
        self._heartbeat.remove(running.execution_id)
        self._has_news = True

    def _end(self, running: _RunningNode, worker: Worker) -> None:
        result = worker.result or self._unsent_result(running, worker)
        self._note_changed_inputs(running.node.id, (result or {}).get("changed_inputs", []))
        if result is not None and result["ok"]:
            self._complete_or_refuse(running, result)
        elif running.kill_at is not None:
            timeout = running.node.options.timeout_seconds
            message = f"the node took longer than the {timeout:g} seconds of with_timeout."
            self._fail_running(running, describe_exception(TimeoutError(message)))
        elif worker.is_stopped:
            self._cancel(running)
        elif result is not None:
            self._fail_running(running, result["error"])
        else:
            message = worker.fault or describe_exit(worker.exit_status or 0)
            self._fail_running(running, {"type": "WorkerDied", "message": message})

    def _note_changed_inputs(self, node_id: str, changes: Iterable[str]) -> None:
        for change in changes:
            warning = (
                f"While {node_id} ran, {change}. Other nodes may read the same, and the next run "
                "makes it again. An executor that changes an input should change a copy of it."
            )
            self._warnings.append(warning)
            self._tell(RunEventKind.INPUT_CHANGED, of_node=node_id, warning=warning)

    def _unsent_result(self, running: _RunningNode, worker: Worker) -> dict[str, Any] | None:
        """What a worker that ended without a word has left in its files: user code may have
        closed the way to us, or it was killed between writing its result and sending it."""
        if worker.fault:
            return None
        path = layout.result_path(running.started.directory)
        result = read_result(path)
        if result is not None:
            find_stray = self._publisher.find_stray_output
            stray = self._patiently(lambda: find_stray(running.started.execution, result))
            if stray is not None:
                message = f"{describe_exit(worker.exit_status or 0)} {describe_stray(path, stray)}"
                return {"ok": False, "error": {"type": "WorkerDied", "message": message}}
            return {"ok": True, **result}
        error = take_failure(path)
        return {"ok": False, "error": error} if error is not None else None

    def _complete_or_refuse(self, running: _RunningNode, result: Mapping[str, Any]) -> None:
        """Publishes a result; one that cannot be published fails its node and no other."""
        channels = running.node.outputs
        types = {key: artifact_type_record(channel.type) for key, channel in channels.items()}
        publish = self._publisher.publish
        try:
            outputs = self._patiently(lambda: publish(running.execution_id, types, result))
        except MetadataError:
            raise
        except Exception as error:
            running.worker.signal(signal.SIGKILL)  # it is not what the worker itself would say
            reason = str(error)
            if not isinstance(error, UnpublishableResultError):
                reason = f"the node's result cannot be published: {type(error).__name__}: {error}"
            self._fail_running(running, {"type": "WorkerDied", "message": reason})
        else:
            self._complete(running, outputs)

    def _complete(self, running: _RunningNode, outputs: Records) -> None:
        node = running.node
        self._made[node.id] = outputs
        self._executions[node.id] = self._made_by[node.id] = running.execution_id
        self._states[node.id] = NodeState.COMPLETE
        self._tell(
            RunEventKind.NODE_COMPLETED,
            node.id,
            execution_id=running.execution_id,
            seconds=time.monotonic() - running.began,
            outputs=_uris(outputs),
        )

    def _fail_running(self, running: _RunningNode, error: Mapping[str, str]) -> None:
        self._fail(
            running.node, running.execution_id, error, log=running.log, progress=running.progress
        )
        # The last entry of the log, and only now: who shows a log as it grows has been told of the
        # failure, and shows it in his own way.
        text = error.get("for_log") or f"{error['type']}: {error['message']}\n"
        with (
            contextlib.suppress(OSError),  # the disk may be full, or the log replaced by a pipe
            open(
                open_plain(running.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND),
                "a",
                encoding="utf-8",
                errors="backslashreplace",
            ) as log,
        ):
            log.write(text)

    def _fail(
        self,
        node: BaseNode,
        execution_id: int,
        error: Mapping[str, str],
        *,
        log: str | None,
        progress: Mapping[str, Any] = NO_ATTACHMENTS,
    ) -> None:
        summary = f"{error['type']}: {error['message']}"
        fail = self._publisher.fail
        failed = ExecutionState.FAILED
        kept = self._patiently(lambda: fail(node.id, execution_id, summary, failed, progress))
        if not self._retry(node, error):
            self._note_failure(node.id, error, log, kept)

    def _retry(self, node: BaseNode, error: Mapping[str, str]) -> bool:
        """Lets a node that failed wait for its next attempt, if it has one."""
        failures = self._attempts[node.id] = self._attempts.get(node.id, 0) + 1
        if failures > node.options.max_retries or self._interrupts:
            return False
        wait = node.options.retry_wait(failures)
        self._states[node.id] = NodeState.WAITING
        self._not_before[node.id] = time.monotonic() + wait
        self._tell(
            RunEventKind.NODE_RETRYING,
            node.id,
            headline=f"{error['type']}: {(error['message'].splitlines() or [''])[0]}",
            wait_seconds=wait,
            retry=failures,
            max_retries=node.options.max_retries,
        )
        return True

    def _fail_unstarted(self, node: BaseNode, error: Exception) -> None:
        described = describe_exception(error)
        summary = f"{described['type']}: {described['message']}"
        self._patiently(lambda: self._driver.record_refusal(node, summary))
        if isinstance(error, (ValueError, FileNotFoundError)):
            described["traceback"] = ""  # the message is meant for the user and says it all
        if not self._retry(node, described):
            self._note_failure(node.id, described, None, [])

    def _note_failure(
        self, node_id: str, error: Mapping[str, str], log: str | None, kept: list[str]
    ) -> None:
        failure = NodeFailure(
            node_id=node_id,
            error_type=error["type"],
            message=error["message"],
            traceback=with_notebook_lines(error.get("traceback", "")),
            log=log,
            kept=tuple(kept),
            exception_classes=error.get("classes", ""),
            exception_arguments=error.get("arguments", ""),
            exception_attributes=error.get("attributes", ""),
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
            self._not_before.clear()
            for node_id, state in self._states.items():
                if state is NodeState.WAITING:
                    self._states[node_id] = NodeState.CANCELED
        elif self._interrupts > 1 or now >= self._kill_at:
            self._pool.signal_all(signal.SIGKILL)

    def _cancel(self, running: _RunningNode) -> None:
        node_id, execution_id = running.node.id, running.execution_id
        kept = self._publisher.fail(
            node_id,
            execution_id,
            "The run was stopped.",
            ExecutionState.CANCELED,
            running.progress,
        )
        self._states[node_id] = NodeState.CANCELED
        self._tell(RunEventKind.NODE_CANCELED, node_id, execution_id=execution_id, kept=kept)

    def _fail_what_is_left(self) -> None:
        """If the run itself broke (a full disk, a lost store), its nodes do not stay RUNNING.

        What cannot be ended now is ended by the next run, which also publishes what had finished;
        the error that broke the run is what the user should see.
        """
        for running in self._running.values():
            if running.worker.result is not None and running.worker.result["ok"]:
                continue
            with contextlib.suppress(MetadataError, OSError):
                self._publisher.fail(
                    running.node.id,
                    running.execution_id,
                    "The run broke off.",
                    ExecutionState.FAILED,
                )

    def _patiently(self, call: Callable[[], _T]) -> _T:
        """Calls again and again while the store is away; each such call may be repeated."""
        deadline = time.monotonic() + STORE_PATIENCE_SECONDS
        wait = 0.5
        while True:
            try:
                return call()
            except StoreUnavailableError as error:
                if self._interrupts or time.monotonic() >= deadline:
                    raise
                if wait == 0.5:
                    self._tell(RunEventKind.STORE_LOST, error=str(error))
            time.sleep(wait)
            wait = min(2 * wait, _LONGEST_STORE_WAIT_SECONDS)

    def _tell(self, kind: RunEventKind, node_id: str = "", **data: Any) -> None:
        self._observer(RunEvent.of(kind, node_id, data))


def _uris(outputs: Mapping[str, list[ArtifactRecord]]) -> dict[str, list[str]]:
    return {key: [record.uri for record in records] for key, records in outputs.items()}
