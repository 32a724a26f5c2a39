"""LocalDagRunner: runs a pipeline on this machine and remembers it."""

from __future__ import annotations

import contextlib
import datetime
import os
import signal
import threading
from collections.abc import Iterator, Mapping
from typing import Any

from trainwright._suggest import did_you_mean
from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.pipeline import Pipeline
from trainwright.metadata import contexts
from trainwright.metadata.connection import (
    ConnectionConfig,
    hide_password,
    open_store,
    sqlite_metadata_connection_config,
    sqlite_path,
)
from trainwright.metadata.leases import current_lease
from trainwright.metadata.store import MetadataStore
from trainwright.orchestration import inert_runs, last_store
from trainwright.orchestration.driver import resolve_runtime_parameters
from trainwright.orchestration.events import RunEvent, RunEventKind, RunObserver
from trainwright.orchestration.pipeline_run import PipelineRun
from trainwright.orchestration.reports import default_report
from trainwright.orchestration.run_result import PipelineRunError, RunResult
from trainwright.types.channel import OutputChannel
from trainwright.types.runtime_parameter import RuntimeParameter


class RunCanceled(KeyboardInterrupt):
    """The run was stopped by Ctrl-C or SIGTERM; `result` says how far it came."""

    def __init__(self, result: RunResult) -> None:
        super().__init__(f"Pipeline run {result.run_id} was stopped.")
        self.result = result


class LocalDagRunner:
    """Runs pipelines on this machine: a process per node, independent nodes side by side.

    Args:
        max_parallel: How many nodes may run at once; the number of processors if None.
        observer: Is told what happens; by default a live table on a terminal, else one line
            per event.

    Example: `LocalDagRunner().run(pipeline)`
    """

    def __init__(
        self, *, max_parallel: int | None = None, observer: RunObserver | None = None
    ) -> None:
        if max_parallel is not None and max_parallel < 1:
            raise ValueError(f"max_parallel must be at least 1, got {max_parallel}.")
        self._max_parallel = max_parallel or max(2, os.cpu_count() or 1)
        self._observer = observer

    def run(
        self, pipeline: Pipeline, *, runtime_parameters: Mapping[str, Any] | None = None
    ) -> RunResult:
        """Runs every node that is not cached.

        Raises:
            ValueError: the pipeline cannot run as it is; nothing was started.
            PipelineRunError: a node failed; the others ran as far as they could.
            RunCanceled: the run was stopped by Ctrl-C or SIGTERM.
        """
        if not isinstance(pipeline, Pipeline):
            raise TypeError(f"Expected a Pipeline, got {pipeline!r}.")
        if inert_runs.record(pipeline):
            return RunResult(run_id="", states={})
        parameters = dict(runtime_parameters or {})
        root = _check(pipeline, parameters)
        config = _connection_config(pipeline, root)
        with contextlib.ExitStack() as stack:
            store = stack.enter_context(open_store(config))
            observer = self._observer or stack.enter_context(default_report())
            result = self._run(pipeline, parameters, root, store, config, observer)
        if result.failures:
            raise PipelineRunError(result)
        if result.was_canceled:
            raise RunCanceled(result)
        return result

    def _run(
        self,
        pipeline: Pipeline,
        parameters: Mapping[str, Any],
        root: str,
        store: MetadataStore,
        config: ConnectionConfig,
        observer: RunObserver,
    ) -> RunResult:
        run_id = datetime.datetime.now().isoformat()
        _note_run(store, run_id, pipeline, root)
        last_store.remember(config.url)
        observer(
            RunEvent(
                kind=RunEventKind.RUN_STARTED,
                data={
                    "pipeline": pipeline.pipeline_name,
                    "run_id": run_id,
                    "root": root,
                    "store": _store_name(config),
                    "enable_cache": pipeline.enable_cache,
                    "nodes": [node.id for node in pipeline.components],
                },
            )
        )
        run = PipelineRun(
            pipeline,
            pipeline_root=root,
            run_id=run_id,
            store=store,
            runtime_parameters=parameters,
            observer=observer,
            max_parallel=self._max_parallel,
        )
        with _interrupted_by_signals(run):
            result = run.run()
        state = "complete" if result.is_success else "failed" if result.failures else "canceled"
        store.put_context(contexts.run_context(run_id), {"state": state})
        observer(
            RunEvent(
                kind=RunEventKind.RUN_FINISHED,
                data={
                    "state": state,
                    "seconds": result.seconds,
                    "summary": result.describe_failures(),
                    "states": {node: value.value for node, value in result.states.items()},
                },
            )
        )
        return result


def _check(pipeline: Pipeline, parameters: Mapping[str, Any]) -> str:
    """Refuses what cannot work before anything is started; returns the absolute root."""
    known = pipeline.runtime_parameters()
    for name in parameters:
        if name not in known:
            raise ValueError(
                f"Pipeline {pipeline.pipeline_name!r} has no runtime parameter {name!r}"
                f"{did_you_mean(name, known)}"
            )
    for parameter in known.values():
        parameter.resolve(dict(parameters))
    root = pipeline.pipeline_root
    if isinstance(root, RuntimeParameter):
        root = root.resolve(dict(parameters))
    if not root:
        raise ValueError(
            f"Pipeline {pipeline.pipeline_name!r} has no pipeline_root: name the directory that "
            "its artifacts are written to."
        )
    for node in pipeline.components:
        _check_node(node, parameters)
    root = os.path.abspath(root)
    try:
        os.makedirs(root, exist_ok=True)
    except OSError as error:
        raise ValueError(
            f"pipeline_root {root!r} cannot be made: {error.strerror}. Choose a directory that "
            "you may write to."
        ) from error
    if not os.access(root, os.W_OK):
        raise ValueError(f"pipeline_root {root!r} is read-only. Choose another directory.")
    return root


def _check_node(node: Any, parameters: Mapping[str, Any]) -> None:
    if not isinstance(node, BaseComponent):
        raise ValueError(f"Node {node.id!r} of type {type(node).__name__} cannot be run.")
    for key, channel in node.inputs.items():
        if not channel.is_optional and not list(channel.producers()):
            raise ValueError(
                f"Input {key!r} of {node.id!r} comes from no node of the pipeline. Pass a node's "
                f"output, for example some_node.outputs[{key!r}], instead of {channel!r}."
            )
        for producer in channel.producers():
            _check_output_exists(node, key, producer)
    try:
        properties = resolve_runtime_parameters(node, parameters)
    except TypeError as error:  # a value of the run, not a mistake in the pipeline's code
        raise ValueError(f"{node.id}: {error}") from error
    node.DRIVER_CLASS().check(node, properties)


def _check_output_exists(node: BaseComponent, key: str, channel: OutputChannel) -> None:
    if channel.output_key not in channel.producer.outputs:
        raise ValueError(
            f"Input {key!r} of {node.id!r} is {channel!r}, but {channel.producer_id!r} has only "
            f"{sorted(channel.producer.outputs)}."
        )


def _connection_config(pipeline: Pipeline, root: str) -> ConnectionConfig:
    config = pipeline.metadata_connection_config
    if config is None:
        return sqlite_metadata_connection_config(os.path.join(root, "metadata.db"))
    if not isinstance(config, ConnectionConfig):
        raise ValueError(
            "metadata_connection_config must come from "
            f"sqlite_metadata_connection_config(path), got {config!r}."
        )
    return config


def _store_name(config: ConnectionConfig) -> str:
    """The store as people see it: the path of the file, or the address without a password."""
    is_file = config.url.startswith("sqlite:")
    return sqlite_path(config.url) if is_file else hide_password(config.url)


def _note_run(store: MetadataStore, run_id: str, pipeline: Pipeline, root: str) -> None:
    lease = current_lease()
    store.put_context(
        contexts.run_context(run_id),
        {
            "pipeline": pipeline.pipeline_name,
            "root": root,
            "state": "running",
            "nodes": [node.id for node in pipeline.components],
            "upstream": {
                node.id: [other.id for other in node.upstream_nodes] for node in pipeline.components
            },
            "host": lease.host,
            "pid": lease.pid,
            "process_started_at": lease.process_started_at,
        },
    )


@contextlib.contextmanager
def _interrupted_by_signals(run: PipelineRun) -> Iterator[None]:
    """Lets Ctrl-C and SIGTERM stop the run cleanly; only a main thread may say so."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    previous = {
        number: signal.signal(number, lambda *unused: run.interrupt())
        for number in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        yield
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)
