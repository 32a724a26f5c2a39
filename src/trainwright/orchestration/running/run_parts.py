"""Parts of one run, made for each other: who plans, launches, ends and remembers its nodes."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from trainwright.metadata.store import NO_ATTACHMENTS, MetadataStore
from trainwright.orchestration.events import RunEvent, RunEventKind, RunObserver
from trainwright.orchestration.heartbeat import Heartbeat
from trainwright.orchestration.launching.node_request import RequestMaker
from trainwright.orchestration.planning.driver import Driver
from trainwright.orchestration.planning.planner import Planner
from trainwright.orchestration.publishing import claims, layout
from trainwright.orchestration.publishing.publisher import Publisher
from trainwright.orchestration.publishing.work_files import WorkFiles
from trainwright.orchestration.run_result import RunResult
from trainwright.orchestration.running.node_ending import NodeEnding
from trainwright.orchestration.running.node_starting import NodeStarting
from trainwright.orchestration.running.outcomes import Outcomes
from trainwright.orchestration.running.run_job import RunJob, RunSettings
from trainwright.orchestration.running.schedule import Schedule
from trainwright.orchestration.running.stopping import StopRequest
from trainwright.orchestration.running.store_patience import StorePatience


class RunParts:
    """What a run works with.

    Args:
        job: What is run.
        settings: How it is run.
        run_id: The run's id.
        store: What is remembered.
        observer: Is told what happens.
        skipped: The nodes of the run that were skipped before, and why.
    """

    def __init__(
        self,
        job: RunJob,
        settings: RunSettings,
        *,
        run_id: str,
        store: MetadataStore,
        observer: RunObserver,
        skipped: Mapping[str, str] = NO_ATTACHMENTS,
    ) -> None:
        self.job = job
        self.run_id = run_id
        self.store = store
        self.observer = observer
        self.stop = StopRequest()
        self.patience = StorePatience(self.tell, self.stop)
        self.heartbeat = Heartbeat(store, run_id, on_cancel=self.stop.cancel)
        self.publisher = Publisher(store, job.root)
        self.work_files = WorkFiles()
        self.launcher = settings.make_launcher()
        planner = Planner(
            job.pipeline, store, runtime_parameters=job.parameters, check_again=job.after_own
        )
        self.driver = Driver(
            planner,
            job.pipeline,
            pipeline_root=job.root,
            run_id=run_id,
            store=store,
            publisher=self.publisher,
            skipped=skipped,
        )
        self.outcomes = Outcomes(job.nodes_to_run, settings.made_before, self.tell)
        self.schedule = Schedule(
            job.nodes_to_run,
            waits_for=job.waits_for,
            outcomes=self.outcomes,
            tell=self.tell,
            stop=self.stop,
        )
        self.ending = NodeEnding(
            self.driver,
            self.publisher,
            patience=self.patience,
            outcomes=self.outcomes,
            schedule=self.schedule,
            work_files=self.work_files,
        )
        self.starting = NodeStarting(
            self.driver,
            self.launcher,
            requests=RequestMaker(
                pipeline=job.pipeline,
                run_id=run_id,
                store_location=store.location,
                root=job.root,
                engine=job.engine,
            ),
            heartbeat=self.heartbeat,
            patience=self.patience,
            outcomes=self.outcomes,
            schedule=self.schedule,
            ending=self.ending,
            stop=self.stop,
            max_parallel=settings.max_parallel,
            work_files=self.work_files,
        )

    def tell(self, kind: RunEventKind, node_id: str = "", **data: Any) -> None:
        """Tells the observer of an event."""
        self.observer(RunEvent.of(kind, node_id, data))

    def result(self, began: float) -> RunResult:
        """What the run has come to since it began, its nodes in the order of the pipeline."""
        outcomes = self.outcomes
        result = RunResult(
            run_id=self.run_id,
            states=dict(outcomes.states),
            outputs=outcomes.made,
            executions=dict(outcomes.executions),
            pages=self._find_pages(),
            root=self.publisher.root,
            skipped=dict(outcomes.skipped),
            failures=tuple(outcomes.failures),
            warnings=tuple(outcomes.warnings),
            seconds=time.monotonic() - began,
        )
        return result.in_order([node.id for node in self.job.nodes])

    def _find_pages(self) -> dict[str, list[str]]:
        """The pages of the nodes that have some; all at once, as the store has to be asked."""
        made_by = self.outcomes.made_by
        tokens = self.patience.call(lambda: claims.read_tokens(self.store, made_by.values()))
        pages: dict[str, list[str]] = {}
        for node_id, execution_id in made_by.items():
            token = tokens.get(execution_id)
            directory = claims.find_directory(self.job.root, node_id, execution_id, token)
            found = layout.find_pages(directory) if directory else []
            if found:
                pages[node_id] = found
        return pages
