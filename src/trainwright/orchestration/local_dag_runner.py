"""LocalDagRunner: runs a pipeline on this machine and remembers it."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any

from trainwright._checks import check_integer
from trainwright.dsl.base_node import BaseNode
from trainwright.dsl.pipeline import Pipeline, check_engine_name
from trainwright.metadata.connection import ConnectionConfig, open_store
from trainwright.metadata.store import MetadataStore, StoreNotFoundError
from trainwright.orchestration import script_runs
from trainwright.orchestration.events import Observers, RunObserver
from trainwright.orchestration.execution.tracebacks import is_refusal
from trainwright.orchestration.launching.launcher import Launcher
from trainwright.orchestration.launching.local_launcher import LocalLauncher
from trainwright.orchestration.node_run import finish_run, run_node
from trainwright.orchestration.pipeline_check import check_root
from trainwright.orchestration.pipeline_run import run_pipeline
from trainwright.orchestration.planning.explain import Forecast, explain
from trainwright.orchestration.publishing.published_outputs import Records
from trainwright.orchestration.reports.component_errors import run_error
from trainwright.orchestration.reports.reports import default_report
from trainwright.orchestration.run_options import RunOptions
from trainwright.orchestration.run_result import NodeState, RunResult, as_pipeline_error
from trainwright.orchestration.running.run_job import RunJob, RunSettings, check_job
from trainwright.orchestration.script_runs import RequestedRun


class RunCanceled(KeyboardInterrupt):
    """The run was stopped by Ctrl-C, SIGTERM, SIGHUP or `trainwright cancel`; `result` says how
    far it came."""

    def __init__(self, result: RunResult) -> None:
        super().__init__(f"Pipeline run {result.run_id} was stopped.")
        self.result = result


class LocalDagRunner:
    """Runs pipelines on this machine: a process per node, independent nodes side by side.

    Args:
        max_parallel: How many nodes may run at once; the number of processors if None, but 2 or
            more.
        observer: Is told what happens, as events (`RunEvent`); or several that are, in a list. By
            default a live table on a terminal, else one line per event. One that raises does not
            end the run: it is reported as a RuntimeWarning.
        default_store: The metadata store of pipelines that name none; `metadata.db` in the
            pipeline root if None.
        show_output: Whether what the nodes print and log is shown while they run, each line with
            its node; it is in their logs in any case. If None, it is where there is no live table:
            in a notebook, or in a script whose standard error goes to a file or a pipe.
        keep_listed_order: Whether a component of your own waits for what stands before it in the
            pipeline's list and holds back what stands after it, as if nodes ran one by one.
            Standard components still run side by side. What such a component may make for the
            nodes behind it need not be there when the run begins. If None, it does for `tfx`'s
            LocalDagRunner, because programs for TFX may rely on it, and not for this one.
        engine: What runs passes over data, in place of the pipeline's own engine.

    Example: `LocalDagRunner().run(pipeline)`
    """

    KEEPS_LISTED_ORDER = False

    def __init__(
        self,
        *,
        max_parallel: int | None = None,
        observer: RunObserver | Sequence[RunObserver] | None = None,
        default_store: str | None = None,
        show_output: bool | None = None,
        keep_listed_order: bool | None = None,
        engine: str | None = None,
    ) -> None:
        if observer is not None and show_output is not None:
            raise ValueError(
                "show_output is for the runner's own report; an observer of yours decides by "
                "itself what is shown. Give one of the two."
            )
        if max_parallel is not None:
            check_integer("max_parallel", max_parallel, least=1)
        self._max_parallel = max_parallel
        self._observer = Observers(observer) if isinstance(observer, Sequence) else observer
        self._show_output = show_output
        self._default_store = default_store
        check_engine_name(engine)
        self._engine = engine
        self._keep_listed_order = (
            self.KEEPS_LISTED_ORDER if keep_listed_order is None else keep_listed_order
        )

    def run(
        self,
        pipeline: Pipeline,
        run_options: RunOptions | None = None,
        *,
        runtime_parameters: Mapping[str, Any] | None = None,
    ) -> RunResult:
        """Runs every node that is not cached, or those that `run_options` choose.

        Raises:
            PipelineError: the pipeline cannot run as it is; nothing was started. It is a
                ValueError.
            PipelineRunError: a node failed; the others ran as far as they could. The error is
                also of the type that the component raised, if this process knows that type.
            RunCanceled: the run was stopped by Ctrl-C, SIGTERM, SIGHUP or `trainwright cancel`.
        """
        if not isinstance(pipeline, Pipeline):
            raise TypeError(f"Expected a Pipeline, got {pipeline!r}.")
        handler = script_runs.current_handler()
        if handler is not None:
            return handler(self._request(pipeline, run_options, dict(runtime_parameters or {})))
        try:
            result = run_pipeline(
                pipeline, run_options, dict(runtime_parameters or {}), self._settings()
            )
        except ValueError as error:
            raise _without_our_lines(error) from error.__cause__
        return _returned(result)

    def run_node(
        self,
        pipeline: Pipeline,
        node_id: str,
        *,
        run_id: str,
        runtime_parameters: Mapping[str, Any] | None = None,
    ) -> RunResult:
        """Runs one node as a part of the run `run_id`, of which other calls run the other nodes.

        For orchestrators that decide themselves what runs when: `trainwright execute-node` calls
        it. What the nodes before it have made in this run is found in the store; the node is
        reused, skipped, waited for and tried again as in `run`, and not run a second time if the
        run has done it. The first call makes the run's record, and the call that does its last node
        completes it; `finish_run` ends a run that will not be completed. Calls for different nodes
        may go on at the same time, also on other machines.

        Raises what `run` raises: PipelineError also if a node before it is not done.
        """
        settings = self._settings()
        try:
            result = run_node(pipeline, node_id, run_id, dict(runtime_parameters or {}), settings)
        except ValueError as error:
            raise _without_our_lines(error) from error.__cause__
        return _returned(result)

    def finish_run(
        self,
        pipeline: Pipeline,
        *,
        run_id: str,
        runtime_parameters: Mapping[str, Any] | None = None,
    ) -> dict[str, NodeState]:
        """Ends a run of `run_node` calls: it is complete, canceled, or has failed.

        Returns the states of its nodes. Raises PipelineError if there is no such run.
        """
        try:
            return finish_run(pipeline, run_id, dict(runtime_parameters or {}), self._settings())
        except ValueError as error:
            raise _without_our_lines(error) from error.__cause__

    def _request(
        self, pipeline: Pipeline, run_options: RunOptions | None, parameters: Mapping[str, Any]
    ) -> RequestedRun:
        return RequestedRun(
            pipeline=pipeline,
            run_options=run_options,
            runtime_parameters=parameters,
            max_parallel=self._max_parallel,
            observer=self._observer,
            default_store=self._default_store,
            show_output=self._show_output,
            keep_listed_order=self._keep_listed_order,
            engine=self._engine,
        )

    def check(
        self,
        pipeline: Pipeline,
        *,
        runtime_parameters: Mapping[str, Any] | None = None,
        with_checks: bool = True,
    ) -> RunJob:
        """What `run` would run, and where it would be remembered; nothing is written.

        Raises ValueError if the pipeline cannot run as it is; without checks, only if it is not
        known what would run.
        """
        parameters = dict(runtime_parameters or {})
        return check_job(pipeline, None, parameters, self._settings(), with_checks=with_checks)

    def explain(
        self,
        pipeline: Pipeline,
        run_options: RunOptions | None = None,
        *,
        runtime_parameters: Mapping[str, Any] | None = None,
    ) -> list[Forecast]:
        """Says for each node whether `run` would run or reuse it, and why; nothing is written.

        Raises ValueError if the pipeline cannot run as it is.
        """
        parameters = dict(runtime_parameters or {})
        job = check_job(pipeline, run_options, parameters, self._settings())
        check_root(job.root)
        with _open_for_reading(job.store) as store:
            return explain(job, store)

    def _settings(self) -> RunSettings:
        return RunSettings(
            max_parallel=self._max_parallel or self.default_max_parallel(),
            keep_listed_order=self._keep_listed_order,
            default_store=self._default_store,
            engine=self._engine,
            open_report=self._open_report,
            make_launcher=self.make_launcher,
            made_before=self._made_before(),
            check_nodes=self.check_nodes,
        )

    def _open_report(self) -> AbstractContextManager[RunObserver]:
        if self._observer is not None:
            return contextlib.nullcontext(self._observer)
        return default_report(show_output=self._show_output)

    def make_launcher(self) -> Launcher:
        """What launches the nodes of one run, which closes it: processes of this machine.

        A runner that starts nodes elsewhere overrides this; see `Launcher` for what it promises.
        """
        return LocalLauncher()

    def default_max_parallel(self) -> int:
        """How many nodes may run at once where nothing was said."""
        return max(2, os.cpu_count() or 1)

    def check_nodes(
        self, nodes: Iterable[BaseNode], parameters: Mapping[str, Any], root: str
    ) -> None:
        """Raises ValueError for nodes that this runner cannot run, or a root that it cannot use;
        nothing was started yet.

        For runners that start nodes elsewhere; here, all run that the pipeline's check lets pass.
        """

    def _made_before(self) -> Mapping[str, Records]:
        """What nodes outside of the pipeline have made for it, by node id."""
        return {}


def _without_our_lines(error: ValueError) -> ValueError:
    """A refusal as the caller sees it: how deep in here it was found is of no use to anybody."""
    return as_pipeline_error(error).with_traceback(None) if is_refusal(error) else error


def _returned(result: RunResult) -> RunResult:
    """The result of a run that went well; the others are raised."""
    if result.failures:
        raise run_error(result)
    if result.was_canceled:
        raise RunCanceled(result)
    return result


@contextlib.contextmanager
def _open_for_reading(config: ConnectionConfig) -> Iterator[MetadataStore]:
    """The store; one that does not exist yet is not made, an empty one stands for it."""
    with contextlib.ExitStack() as stack:
        try:
            store = open_store(config, create=False)
        except StoreNotFoundError:
            directory = stack.enter_context(tempfile.TemporaryDirectory())
            store = open_store(os.path.join(directory, "metadata.db"))
        yield stack.enter_context(store)
