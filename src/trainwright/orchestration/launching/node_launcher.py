"""Launcher of nodes: sends prepared nodes to worker processes and hears how they fare.

All that a run knows of processes is here: `NodeLauncher` and `RunningNode`.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from trainwright import _keras_choice
from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.base_node import BaseNode
from trainwright.dsl.containers.container_spec import ContainerSpec
from trainwright.dsl.executor_spec import BeamExecutorSpec
from trainwright.dsl.pipeline import Pipeline
from trainwright.orchestration.launching import user_code
from trainwright.orchestration.launching.containers import ContainerGuard, container_name, find_tool
from trainwright.orchestration.launching.worker_pool import Worker, WorkerPool
from trainwright.orchestration.planning.node_plan import StartedNode
from trainwright.orchestration.publishing import claims, layout
from trainwright.types.placeholder import KnownValues, resolve_part

# Plain workers, and the modules that the light zygote has at hand for them.
_PLAIN_PRELOAD = ("trainwright.orchestration.execution.worker",)


@dataclass(eq=False)
class RunningNode:
    """A node that was launched, with what has been heard of it.

    Args:
        node: The node.
        started: Its execution, and what its executor gets.
        worker: Its process.
        log: The path of its log.
        began: When it was launched, by the monotonic clock.
        kill_at: When it is killed, if its time is over.
        progress: The last value of each name that it has reported.
    """

    node: BaseComponent
    started: StartedNode
    worker: Worker
    log: str
    began: float
    kill_at: float | None = None
    progress: dict[str, Any] = field(default_factory=dict)

    @property
    def execution_id(self) -> int:
        return self.started.execution.id

    @property
    def seconds(self) -> float:
        """How long it has been running."""
        return time.monotonic() - self.began

    @property
    def result(self) -> dict[str, Any] | None:
        """The last that it says: whether all went well ("ok"), and what came of it."""
        return self.worker.result

    @property
    def is_done(self) -> bool:
        """Whether nothing more is to be heard of it. The end of a process that has sent its result
        need not be waited for."""
        return self.worker.result is not None or self.worker.is_over

    @property
    def is_stopped(self) -> bool:
        """Whether it was among the nodes that `NodeLauncher.signal_all` has stopped."""
        return self.worker.is_stopped

    @property
    def fault(self) -> str:
        """What was wrong with the process itself, in words; empty if nothing was."""
        return self.worker.fault

    @property
    def exit_status(self) -> int:
        return self.worker.exit_status or 0

    def take_progress(self) -> dict[str, Any]:
        """The progress that it has reported since the last call."""
        news = self.worker.take_progress()
        self.progress.update(news)
        return news

    def signal(self, number: int) -> None:
        """Sends a signal to its process and what that has started."""
        self.worker.signal(number)


class NodeLauncher:
    """Launches nodes and hears of them; knows where the files of an execution go and which process
    suits a node.

    Args:
        pool: The worker processes.
        pipeline: What is run.
        run_id: The run's id.
        store_location: Where the store is that knows of the executions.
        root: Where the pipeline's artifacts go.
        engine: What runs the nodes' passes over data, by name or URL; the local one if None.
    """

    def __init__(
        self,
        pool: WorkerPool,
        pipeline: Pipeline,
        run_id: str,
        store_location: str,
        root: str,
        engine: str | None = None,
    ) -> None:
        self._pool = pool
        self._pipeline = pipeline
        self._run_id = run_id
        self._store_location = store_location
        self._root = root
        self._engine = engine
        self._running: dict[Worker, RunningNode] = {}

    @property
    def running(self) -> list[RunningNode]:
        """The nodes that were launched and not forgotten since."""
        return list(self._running.values())

    def launch(self, started: StartedNode) -> RunningNode:
        """Makes the directories of the execution and its outputs and starts the executor.

        Raises OSError or ValueError if the node cannot be started; PlaceTakenError, and nothing is
        left, if it can be under another number.
        """
        node, log = started.node, layout.log_path(started.directory)
        payload = user_code.dump_request(
            node, started.input_dict, started.output_dict, started.exec_properties
        )
        claims.claim(started.directory, started.token, self._store_location)
        _make_output_directories(started)
        _take_over_state(started)
        worker = self._pool.start(
            self._request_header(node, started),
            payload,
            log_path=log,
            preload=_preload(node),
            environment=_environment(node),
            guard=_guard(node, started),
        )
        running = self._running[worker] = RunningNode(node, started, worker, log, time.monotonic())
        return running

    def hear(self, timeout: float) -> list[RunningNode]:
        """Waits for news; the nodes of which there are some: progress, a result, or their end."""
        heard = self._pool.wait(timeout)
        return [self._running[worker] for worker in heard if worker in self._running]

    def forget(self, running: RunningNode) -> None:
        """The node is ended: its process may go."""
        del self._running[running.worker]

    def signal_all(self, number: int) -> None:
        """Sends a signal to every node; what ends now was stopped."""
        self._pool.signal_all(number)

    def close(self) -> None:
        """Ends all processes, unless the pool is one that outlives the run."""
        self._pool.close()

    def warm_up(self, nodes: Iterable[BaseNode]) -> None:
        """Starts importing what these nodes will need while others work."""
        components = [node for node in nodes if isinstance(node, BaseComponent)]
        # A zygote with many modules also does for nodes that need fewer.
        for node in sorted(components, key=lambda node: len(_preload(node)), reverse=True):
            if _preload(node) != _PLAIN_PRELOAD:
                self._pool.warm_up(_preload(node), _environment(node))

    def _request_header(self, node: BaseComponent, started: StartedNode) -> dict[str, Any]:
        beam_flags = node.beam_pipeline_args
        if not isinstance(node.executor_spec, BeamExecutorSpec):  # which has the pipeline's, too
            beam_flags = [*self._pipeline.beam_pipeline_args, *beam_flags]
        return {
            "working_directory": os.getcwd(),
            "argv": sys.argv,
            "result_path": layout.result_path(started.directory),
            "context": {
                "tmp_dir": layout.temporary_directory(started.directory),
                "stateful_working_dir": layout.state_directory(started.directory),
                "unique_id": str(started.execution.id),
                "pipeline_name": self._pipeline.pipeline_name,
                "pipeline_run_id": self._run_id,
                "pipeline_root": self._root,
                "node_id": node.id,
                "beam_pipeline_args": _resolve_flags(node, beam_flags),
                "engine": self._engine,
                "earlier_outputs": started.earlier.outputs,
                "extra_flags": list(getattr(node.executor_spec, "extra_flags", ())),
            },
        }


def _make_output_directories(started: StartedNode) -> None:
    """All of them, or none: the mark says that whatever is there is the execution's."""
    uris = [artifact.uri for group in started.output_dict.values() for artifact in group]
    made: list[str] = []
    try:
        for uri in uris:
            layout.make_output_directory(uri)
            made.append(layout.output_directory(uri))
    except OSError as error:
        for directory in made:
            os.rmdir(directory)
        claims.give_back(started.directory, started.token)
        if isinstance(error, FileExistsError):
            raise claims.PlaceTakenError(layout.output_directory(uri)) from None
        raise


def _take_over_state(started: StartedNode) -> None:
    """Moves the state of the last attempt to this one, or makes an empty directory.

    It is moved, not shared: of two that want it one gets it, and an attempt that was given up but
    still writes somewhere no longer finds it.
    """
    state = layout.state_directory(started.directory)
    if started.earlier.state and not _begins_anew(started.node):
        with contextlib.suppress(FileNotFoundError):  # garbage collection, or another run has it
            os.rename(started.earlier.state, state)
            return
    os.mkdir(state)


def _begins_anew(node: BaseComponent) -> bool:
    options = node.node_execution_options
    return options is not None and options.reset_stateful_working_dir


def _resolve_flags(node: BaseComponent, flags: Iterable[Any]) -> list[str]:
    """Beam flags with the values of placeholders, which may be environment variables."""
    try:
        return [str(resolve_part(flag, KnownValues())) for flag in flags]
    except ValueError as error:
        raise ValueError(f"{node.id}: a flag in beam_pipeline_args: {error}") from error


def _guard(node: BaseComponent, started: StartedNode) -> ContainerGuard | None:
    """What removes the node's container, if it has one, when its worker has died."""
    tool = find_tool() if isinstance(node.executor_spec, ContainerSpec) else None
    if tool is None:
        return None
    return ContainerGuard(tool, container_name(layout.temporary_directory(started.directory)))


def _preload(node: BaseComponent) -> tuple[str, ...]:
    return _PLAIN_PRELOAD + node.DRIVER_CLASS().preload(node)


def _environment(node: BaseComponent) -> dict[str, str]:
    """What a worker's environment adds to the runner's."""
    return {_keras_choice.VARIABLE: _keras_choice.choice_for_workers(), **node.environment}
