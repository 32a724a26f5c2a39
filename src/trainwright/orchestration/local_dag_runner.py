"""LocalDagRunner: runs a pipeline on this machine and remembers it."""

from __future__ import annotations

import contextlib
import datetime
import os
import signal
import tempfile
import threading
import warnings
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from trainwright.dsl.base_node import BaseNode
from trainwright.dsl.pipeline import Pipeline
from trainwright.metadata.connection import (
    ConnectionConfig,
    as_connection_config,
    hide_password,
    is_sqlite,
    open_store,
    sqlite_metadata_connection_config,
    sqlite_path,
)
from trainwright.metadata.leases import current_lease, run_state
from trainwright.metadata.records import RunNode, RunRecord, RunState
from trainwright.metadata.store import MetadataError, MetadataStore, StoreNotFoundError
from trainwright.orchestration import active_runs, last_store, script_runs
from trainwright.orchestration.cleanup.recovery import recover
from trainwright.orchestration.event_log import EventLog
from trainwright.orchestration.events import (
    ExecutionRecovered,
    NodeWarning,
    Observers,
    RunBeside,
    RunEvent,
    RunFinished,
    RunObserver,
    RunStarted,
)
from trainwright.orchestration.execution.tracebacks import is_refusal
from trainwright.orchestration.heartbeat import Heartbeat
from trainwright.orchestration.launching.node_launcher import NodeLauncher
from trainwright.orchestration.launching.worker_pool import WorkerPool
from trainwright.orchestration.listed_order import listed_order, nodes_after_own
from trainwright.orchestration.pipeline_check import (
    check_nodes,
    check_pipeline,
    check_store_place,
    find_warnings,
    make_root,
    with_root,
)
from trainwright.orchestration.pipeline_run import PipelineRun
from trainwright.orchestration.planning.driver import Driver, uses_cache
from trainwright.orchestration.planning.explain import Forecast, explain
from trainwright.orchestration.planning.file_digests import FileDigests
from trainwright.orchestration.planning.node_resolution import NodeResolver
from trainwright.orchestration.planning.partial_run_inputs import Loan, find_loan
from trainwright.orchestration.planning.result_cache import ResultCache
from trainwright.orchestration.publishing.published_outputs import Records
from trainwright.orchestration.publishing.publisher import Publisher
from trainwright.orchestration.reports.component_errors import run_error
from trainwright.orchestration.reports.reports import default_report
from trainwright.orchestration.run_options import RunOptions, Selection, select_nodes
from trainwright.orchestration.run_result import RunResult, as_pipeline_error
from trainwright.orchestration.script_runs import RequestedRun

# How many of the newest runs are looked at for one that goes on at the same time.
_RUNS_TO_LOOK_AT = 5


class RunCanceled(KeyboardInterrupt):
    """The run was stopped by Ctrl-C, SIGTERM, SIGHUP or `trainwright cancel`; `result` says how
    far it came."""

    def __init__(self, result: RunResult) -> None:
        super().__init__(f"Pipeline run {result.run_id} was stopped.")
        self.result = result


class LocalDagRunner:
    """Runs pipelines on this machine: a process per node, independent nodes side by side.

    Args:
        max_parallel: How many nodes may run at once; the number of processors if None.
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
    ) -> None:
        if observer is not None and show_output is not None:
            raise ValueError(
                "show_output is for the runner's own report; an observer of yours decides by "
                "itself what is shown. Give one of the two."
            )
        if max_parallel is not None and max_parallel < 1:
            raise ValueError(f"max_parallel must be at least 1, got {max_parallel}.")
        self._max_parallel = max_parallel or max(2, os.cpu_count() or 1)
        self._observer = Observers(observer) if isinstance(observer, Sequence) else observer
        self._show_output = show_output
        self._default_store = default_store
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
            result = self._check_and_run(pipeline, run_options, dict(runtime_parameters or {}))
        except ValueError as error:
            if is_refusal(error):  # how deep in here it was found is of no use to anybody
                raise as_pipeline_error(error).with_traceback(None) from error.__cause__
            raise
        if result.failures:
            raise run_error(result)
        if result.was_canceled:
            raise RunCanceled(result)
        return result

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
        )

    def _check_and_run(
        self, pipeline: Pipeline, run_options: RunOptions | None, parameters: Mapping[str, Any]
    ) -> RunResult:
        job, config = self._check(pipeline, run_options, parameters)
        make_root(job.root)
        with contextlib.ExitStack() as stack:
            store = stack.enter_context(open_store(config))
            loans = job.find_loans(store)
            observer = self._observer or stack.enter_context(
                default_report(show_output=self._show_output)
            )
            return self._run(job, loans, store, config, observer)

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
        job, config = self._check(pipeline, run_options, dict(runtime_parameters or {}))
        with _open_for_reading(config) as store:
            return explain(
                pipeline,
                store,
                runtime_parameters=job.parameters,
                run_options=run_options,
                waits_for=job.waits_for,
                missing=job.missing,
            )

    def _check(
        self, pipeline: Pipeline, run_options: RunOptions | None, parameters: Mapping[str, Any]
    ) -> tuple[_Job, ConnectionConfig]:
        """What is to run, and where it is remembered; raises ValueError if it cannot run."""
        job = _Job.make(
            pipeline, run_options, parameters, keep_listed_order=self._keep_listed_order
        )
        config = self._connection_config(pipeline, job.root)
        check_store_place(job.nodes, job.root, config.url)
        return job, config

    def _run(
        self,
        job: _Job,
        loans: list[Loan],
        store: MetadataStore,
        config: ConnectionConfig,
        observer: RunObserver,
    ) -> RunResult:
        run_id = datetime.datetime.now().isoformat()
        observer = _with_event_log(observer, _note_run(store, run_id, job), store)
        last_store.remember(config.url)
        observer(_started(run_id, job, config))
        for node_id, message in find_warnings(job.pipeline, job.selection.run):
            observer(NodeWarning(node=node_id, message=message))
        publisher = Publisher(store, job.root)
        pool = self._worker_pool()
        digests = FileDigests()
        resolver = NodeResolver(
            job.pipeline,
            store=store,
            runtime_parameters=job.parameters,
            digests=digests,
            check_again=job.after_own,
        )
        driver = Driver(
            job.pipeline,
            pipeline_root=job.root,
            run_id=run_id,
            store=store,
            publisher=publisher,
            resolver=resolver,
            cache=ResultCache(store, job.pipeline.pipeline_name, digests),
        )
        heartbeat = Heartbeat(store, run_id, on_cancel=lambda: run.cancel())
        run = PipelineRun(
            job.nodes_to_run,
            waits_for=job.waits_for,
            loans=loans,
            made_before=self._made_before(),
            run_id=run_id,
            driver=driver,
            launcher=NodeLauncher(pool, job.pipeline, run_id, store.location, job.root),
            pool=pool,
            publisher=publisher,
            heartbeat=heartbeat,
            observer=observer,
            max_parallel=self._max_parallel,
        )
        try:
            with active_runs.active(run_id), heartbeat, _interrupted_by_signals(run):
                _clear_up(publisher, job, run_id, observer)
                result = run.run().in_order([node.id for node in job.nodes])
        except BaseException:
            with contextlib.suppress(MetadataError):  # which may be what broke the run
                store.update_run(run_id, state=RunState.FAILED)
            raise
        store.update_run(run_id, state=RunState(result.state))
        observer(
            RunFinished(
                state=result.state,
                seconds=result.seconds,
                summary=result.describe_failures(),
                notes=list(result.notes),
                pages={node: list(pages) for node, pages in result.pages.items()},
                warnings=list(result.warnings),
                skipped=dict(result.skipped),
                states={node: value.value for node, value in result.states.items()},
            )
        )
        return result

    def _worker_pool(self) -> WorkerPool:
        """The processes for the nodes of one run, which closes it."""
        return WorkerPool()

    def _made_before(self) -> Mapping[str, Records]:
        """What nodes outside of the pipeline have made for it, by node id."""
        return {}

    def _connection_config(self, pipeline: Pipeline, root: str) -> ConnectionConfig:
        given = pipeline.metadata_connection_config
        if given is not None:
            return as_connection_config(given)
        if self._default_store is not None:
            return as_connection_config(self._default_store)
        return sqlite_metadata_connection_config(os.path.join(root, "metadata.db"))


@dataclass(frozen=True, kw_only=True)
class _Job:
    """A pipeline, checked, with what this run makes of it.

    Args:
        pipeline: What is run.
        root: The absolute pipeline root.
        parameters: Values for the pipeline's runtime parameters.
        selection: The nodes that run, and those that lend what they made before.
        base_run_id: The run that they lend from.
        waits_for: The nodes that each node waits for beside those whose outputs it takes.
        after_own: The nodes for which a component of the user's own may make what they read.
        missing: Which of these things are not there yet, in words, by node id.
    """

    pipeline: Pipeline
    root: str
    parameters: Mapping[str, Any]
    selection: Selection
    base_run_id: str | None
    waits_for: Mapping[str, list[str]]
    after_own: Collection[str]
    missing: Mapping[str, str]

    @classmethod
    def make(
        cls,
        pipeline: Pipeline,
        options: RunOptions | None,
        parameters: Mapping[str, Any],
        *,
        keep_listed_order: bool,
    ) -> _Job:
        selection = select_nodes(pipeline, options)
        root = check_pipeline(pipeline, parameters)
        parameters = with_root(pipeline, parameters, root)
        listed = pipeline.listed_components if keep_listed_order else []
        in_order = [node for node in listed if node.id in selection.run]
        after_own = nodes_after_own(in_order)
        nodes = [node for node in pipeline.components if node.id in selection.run]
        return cls(
            pipeline=pipeline,
            root=root,
            parameters=parameters,
            selection=selection,
            base_run_id=options.base_pipeline_run_id if options else None,
            waits_for=listed_order(in_order),
            after_own=after_own,
            missing=check_nodes(nodes, parameters, after_own),
        )

    @property
    def nodes(self) -> list[BaseNode]:
        """The nodes that this run has to do with, in the order of the pipeline."""
        chosen = self.selection.run | self.selection.lend
        return [node for node in self.pipeline.components if node.id in chosen]

    @property
    def nodes_to_run(self) -> list[BaseNode]:
        return [node for node in self.nodes if node.id in self.selection.run]

    def find_loans(self, store: MetadataStore) -> list[Loan]:
        return [
            find_loan(store, self.pipeline.pipeline_name, node, self.base_run_id)
            for node in self.nodes
            if node.id in self.selection.lend
        ]


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


def _started(run_id: str, job: _Job, config: ConnectionConfig) -> RunEvent:
    return RunStarted(
        pipeline=job.pipeline.pipeline_name,
        run_id=run_id,
        root=job.root,
        store=_shown(config.url),
        enable_cache=job.pipeline.enable_cache,
        nodes=[node.id for node in job.nodes],
    )


def _shown(url: str) -> str:
    """The store as people see it: the path of the file, or the address without a password."""
    return sqlite_path(url) if is_sqlite(url) else hide_password(url)


def _note_run(store: MetadataStore, run_id: str, job: _Job) -> RunRecord:
    nodes = [
        RunNode(node_id=node.id, upstream=tuple(other.id for other in node.upstream_nodes))
        for node in job.pipeline.components
    ]
    return store.register_run(
        run_id,
        pipeline=job.pipeline.pipeline_name,
        root=job.root,
        nodes=nodes,
        lease=current_lease(),
    )


def _with_event_log(observer: RunObserver, run: RunRecord, store: MetadataStore) -> RunObserver:
    """The observer and the run's event log; a run that cannot have one does without it."""
    try:
        event_log = EventLog.begin(run, store.location)
    except OSError as error:
        warnings.warn(
            f"Nobody can follow run {run.run_id} by its events: they cannot be written below "
            f"{run.root} ({error}).",
            RuntimeWarning,
            stacklevel=2,
        )
        return Observers([observer])
    return Observers([observer, event_log])


def _clear_up(publisher: Publisher, job: _Job, run_id: str, observer: RunObserver) -> None:
    """Ends what dead runs left, and says which other runs go on."""
    name = job.pipeline.pipeline_name
    for recovered in recover(publisher, name):
        observer(
            ExecutionRecovered(
                execution_id=recovered.execution_id,
                of_node=recovered.node_id,
                is_published=recovered.is_published,
                is_ended=recovered.is_ended,
                problem=recovered.problem,
            )
        )
    if all(uses_cache(node, job.pipeline) for node in job.nodes):
        return  # a node whose work another run is doing waits for it and says so
    now = publisher.store.now()
    for run in publisher.store.get_runs(pipeline=name, limit=_RUNS_TO_LOOK_AT):
        if run_state(run, now) == "running" and run.run_id != run_id:
            observer(RunBeside(run_id=run.run_id))


@contextlib.contextmanager
def _interrupted_by_signals(run: PipelineRun) -> Iterator[None]:
    """Lets Ctrl-C, SIGTERM and SIGHUP stop the run cleanly; only a main thread may say so."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    numbers = [signal.SIGINT, signal.SIGTERM]
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # as nohup has set it
        numbers.append(signal.SIGHUP)
    previous = {
        number: signal.signal(number, lambda *unused: run.interrupt()) for number in numbers
    }
    try:
        yield
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)
