"""Ending of a node: its result is published, or it is failed, tried again or canceled."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Mapping
from typing import Any

from trainwright._paths import is_remote
from trainwright.dsl.base_node import BaseNode
from trainwright.metadata.artifact_records import artifact_type_record
from trainwright.metadata.records import ExecutionState
from trainwright.metadata.store import NO_ATTACHMENTS, ExecutionNotRunningError, MetadataError
from trainwright.orchestration.execution.tracebacks import describe_exception
from trainwright.orchestration.launching.launcher import Launcher, RunningNode
from trainwright.orchestration.planning.driver import Driver
from trainwright.orchestration.planning.node_plan import StartedNode
from trainwright.orchestration.publishing import layout
from trainwright.orchestration.publishing.plain_files import open_plain
from trainwright.orchestration.publishing.publisher import (
    Publisher,
    UnpublishableResultError,
    describe_stray,
    discard_state,
)
from trainwright.orchestration.publishing.result_file import read_result, take_failure
from trainwright.orchestration.publishing.work_files import WorkFiles
from trainwright.orchestration.run_result import describe_exit
from trainwright.orchestration.running.outcomes import Outcomes
from trainwright.orchestration.running.schedule import Schedule
from trainwright.orchestration.running.store_patience import StorePatience


class NodeEnding:
    """Ends the nodes of a run, in the store first and then in its outcomes.

    Args:
        driver: Records nodes that failed before they were registered.
        publisher: Ends executions.
        patience: Waits for a store that is away.
        outcomes: Is told what became of a node.
        schedule: Knows whether a node that failed is tried again.
        work_files: What its processes have left on this machine.
    """

    def __init__(
        self,
        driver: Driver,
        publisher: Publisher,
        *,
        patience: StorePatience,
        outcomes: Outcomes,
        schedule: Schedule,
        work_files: WorkFiles,
    ) -> None:
        self._driver = driver
        self._publisher = publisher
        self._patiently = patience.call
        self._outcomes = outcomes
        self._schedule = schedule
        self._work_files = work_files

    def end(self, running: RunningNode) -> None:
        """Ends a node that has sent its result or whose process is over."""
        try:
            self._end(running)
        except ExecutionNotRunningError as error:
            # Another run took this one for dead and has cleared up after it.
            error_of_node = describe_exception(error)
            self._outcomes.note_failure(running.node.id, error_of_node, running.log, [])
        self._work_files.finish(running.started.directory, running.request.num_processes)

    def _end(self, running: RunningNode) -> None:
        node = running.node
        result = running.result or self._unsent_result(running)
        directory, kept = running.started.directory, running.started.kept_places
        if result is not None and result["ok"]:
            self._work_files.drop(directory, kept)
        else:
            self._work_files.keep(directory, kept)
        self._outcomes.note_changed_inputs(node.id, (result or {}).get("changed_inputs", []))
        if result is not None and result["ok"]:
            self._complete_or_refuse(running, result)
        elif running.kill_at is not None:
            timeout = node.options.timeout_seconds
            message = f"the node took longer than the {timeout:g} seconds of with_timeout."
            self._fail_running(running, describe_exception(TimeoutError(message)))
        elif running.is_stopped:
            self._cancel(running)
        elif result is not None:
            self._fail_running(running, running.attribute(result["error"]))
        else:
            message = running.fault or describe_exit(running.exit_status)
            died = {"type": "WorkerDied", "message": message}
            self._fail_running(running, running.attribute(died))

    def _unsent_result(self, running: RunningNode) -> dict[str, Any] | None:
        """What a worker that ended without a word has left in its files: user code may have
        closed the way to us, or it was killed between writing its result and sending it."""
        if running.fault:
            return None
        path = running.request.result_path(running.rank)
        result = read_result(path) if running.rank == 0 else None
        if result is None and running.rank == 0 and is_remote(running.started.directory):
            # Its process may have been on another machine.
            path = layout.result_path(running.started.directory)
            result = read_result(path)
        if result is not None:
            find_stray = self._publisher.find_stray_output
            stray = self._patiently(lambda: find_stray(running.started.execution, result))
            if stray is not None:
                message = f"{describe_exit(running.exit_status)} {describe_stray(path, stray)}"
                return {"ok": False, "error": {"type": "WorkerDied", "message": message}}
            return {"ok": True, **result}
        error = take_failure(path)
        return {"ok": False, "error": error} if error is not None else None

    def _complete_or_refuse(self, running: RunningNode, result: Mapping[str, Any]) -> None:
        """Publishes a result; one that cannot be published fails its node and no other."""
        channels = running.node.outputs
        types = {key: artifact_type_record(channel.type) for key, channel in channels.items()}
        publish = self._publisher.publish
        try:
            outputs = self._patiently(lambda: publish(running.execution_id, types, result))
        except MetadataError:
            raise
        except Exception as error:
            running.signal(signal.SIGKILL)  # it is not what the worker itself would say
            reason = str(error)
            if not isinstance(error, UnpublishableResultError):
                reason = f"the node's result cannot be published: {type(error).__name__}: {error}"
            self._fail_running(running, {"type": "WorkerDied", "message": reason})
        else:
            discard_state(running.started.directory)
            self._outcomes.note_completed(
                running.node.id, running.execution_id, outputs, running.seconds
            )

    def _fail_running(self, running: RunningNode, error: Mapping[str, str]) -> None:
        self._fail(
            running.node,
            running.execution_id,
            error,
            log=running.log,
            progress=running.progress,
            was_lost=running.was_lost,
            may_wake_up=running.may_wake_up,
        )
        # The last entry of the log, and only now: who shows a log as it grows has been told of the
        # failure, and shows it in his own way.
        text = error.get("for_log") or f"{error['type']}: {error['message']}\n"
        _append(running.request.log_path(running.rank), text)
        if running.rank != 0:
            _append(running.request.log_path(), f"Process {running.rank} failed: {running.log}\n")

    def _fail(
        self,
        node: BaseNode,
        execution_id: int,
        error: Mapping[str, str],
        *,
        log: str | None,
        progress: Mapping[str, Any] = NO_ATTACHMENTS,
        was_lost: bool = False,
        may_wake_up: bool = False,
    ) -> None:
        summary = f"{error['type']}: {error['message']}"
        publisher, failed = self._publisher, ExecutionState.FAILED
        kept: list[str] = []
        if may_wake_up:
            self._patiently(lambda: publisher.fail_lost(execution_id, summary, failed, progress))
        else:
            kept = self._patiently(
                lambda: publisher.fail(node.id, execution_id, summary, failed, progress)
            )
        if not self._schedule.retry(node, error, was_lost=was_lost):
            self._outcomes.note_failure(node.id, error, log, kept)

    def fail_unlaunched(self, started: StartedNode, error: Exception) -> None:
        """Fails a node that is registered, but could not be launched."""
        # No code of the user's was running: the message says it all.
        described = {**describe_exception(error), "traceback": ""}
        self._fail(started.node, started.execution.id, described, log=None)

    def number_anew(self, started: StartedNode, problem: str) -> None:
        """Lets a node whose directory another store has just taken start as another execution."""
        fail = self._publisher.fail
        failed = ExecutionState.FAILED
        self._patiently(lambda: fail(started.node.id, started.execution.id, problem, failed))
        self._schedule.start_again(started.node)

    def fail_unstarted(self, node: BaseNode, error: Exception) -> None:
        """Fails a node that could not be planned: a component's driver has looked and said no."""
        described = describe_exception(error)
        summary = f"{described['type']}: {described['message']}"
        self._patiently(lambda: self._driver.record_refusal(node, summary))
        if isinstance(error, (ValueError, FileNotFoundError)):
            described["traceback"] = ""  # the message is meant for the user and says it all
        if not self._schedule.retry(node, described):
            self._outcomes.note_failure(node.id, described, None, [])

    def _cancel(self, running: RunningNode) -> None:
        kept = self._publisher.fail(
            running.node.id,
            running.execution_id,
            "The run was stopped.",
            ExecutionState.CANCELED,
            running.progress,
        )
        self._outcomes.note_canceled(running.node.id, running.execution_id, kept)

    def fail_what_is_left(self, launcher: Launcher) -> None:
        """If the run itself broke (a full disk, a lost store), its nodes do not stay RUNNING.

        What cannot be ended now is ended by the next run, which also publishes what had finished;
        the error that broke the run is what the user should see.
        """
        for running in launcher.running:
            if running.result is not None and running.result["ok"]:
                continue
            with contextlib.suppress(MetadataError, OSError):
                self._publisher.fail(
                    running.node.id,
                    running.execution_id,
                    "The run broke off.",
                    ExecutionState.FAILED,
                )


def _append(log_path: str, text: str) -> None:
    with (
        contextlib.suppress(OSError),  # the disk may be full, or the log replaced by a pipe
        open(
            open_plain(log_path, os.O_WRONLY | os.O_CREAT | os.O_APPEND),
            "a",
            encoding="utf-8",
            errors="backslashreplace",
        ) as log,
    ):
        log.write(text)
