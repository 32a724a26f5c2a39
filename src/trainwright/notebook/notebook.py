"""Notebook: components run one by one, and what they made shown in the cells."""

from __future__ import annotations

import atexit
import datetime
import logging
import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from trainwright._markup import html
from trainwright._paths import is_remote
from trainwright._printable import printable
from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.base_node import BaseNode
from trainwright.dsl.input_resolution.resolved_channel import ResolvedChannel
from trainwright.dsl.pipeline import Pipeline
from trainwright.metadata.artifact_records import from_record
from trainwright.metadata.connection import sqlite_metadata_connection_config
from trainwright.notebook.execution_result import ExecutionResult
from trainwright.notebook.formatters import register_formatters
from trainwright.notebook.visualizations import (
    display_html,
    register_standard_visualizations,
    show_artifact,
)
from trainwright.orchestration import last_store
from trainwright.orchestration.execution.tracebacks import is_refusal
from trainwright.orchestration.launching.launcher import Launcher
from trainwright.orchestration.launching.local_launcher import LocalLauncher
from trainwright.orchestration.launching.worker_pool import LastingWorkerPool, WorkerPool
from trainwright.orchestration.local_dag_runner import LocalDagRunner
from trainwright.orchestration.publishing import places
from trainwright.orchestration.publishing.published_outputs import Records
from trainwright.orchestration.run_result import RunResult
from trainwright.types.artifact import Artifact
from trainwright.types.channel import BaseChannel, Channel, OutputChannel

_logger = logging.getLogger(__name__)


class Notebook:
    """Runs components one by one, each on what those before it have made here.

    Every run is one of a pipeline of this name: it is cached, remembered and can be looked at with
    `trainwright runs`, `show` and `lineage`. Components run in processes of their own, which stay
    ready, so that TensorFlow is imported once.

    Args:
        name: The name of the pipeline; made up from the time if None.
        root: The directory of the artifacts; a new temporary one if None.
        store: Where runs are remembered: a path, a URL or a connection config. If None it is
            `metadata.sqlite` in the root; of a root in an object store, which cannot hold one, the
            file of this user on this machine that a pipeline with this root gets.
        beam_pipeline_args: Flags for components that run on Beam.

    Example:
        ```python
        notebook = Notebook("penguin", "output")
        example_gen = CsvExampleGen(input_base="data")
        notebook.run(example_gen)
        statistics_gen = StatisticsGen(examples=example_gen.outputs["examples"])
        notebook.run(statistics_gen)
        notebook.show(statistics_gen.outputs["statistics"])
        ```
    """

    STORE_FILE = "metadata.sqlite"

    def __init__(
        self,
        name: str | None = None,
        root: str | None = None,
        *,
        store: Any = None,
        beam_pipeline_args: Sequence[str] | None = None,
    ) -> None:
        self.pipeline_name = name or f"interactive-{_time_as_name()}"
        if not root:
            # The name may have what a directory's cannot, such as a slash.
            name_part = re.sub(r"[^\w.-]", "_", str(self.pipeline_name))[:80]
            root = tempfile.mkdtemp(prefix=f"tfx-{name_part}-")
            _logger.warning("No root was given: artifacts go to %s, a temporary directory.", root)
        self.pipeline_root = root
        self.metadata_connection_config = store or sqlite_metadata_connection_config(
            self._store_file()
        )
        self.beam_pipeline_args = list(beam_pipeline_args or [])
        self._made: dict[BaseNode, Records] = {}
        self._pool = LastingWorkerPool()
        atexit.register(self._pool.end)
        register_formatters()
        register_standard_visualizations()

    def _store_file(self) -> str:
        root = self.pipeline_root
        if is_remote(root):
            return last_store.store_for_root(places.absolute(root))
        return os.path.join(root, self.STORE_FILE)

    def run(
        self,
        component: BaseNode,
        enable_cache: bool = True,
        beam_pipeline_args: Sequence[str] | None = None,
    ) -> ExecutionResult:
        """Runs a component, or takes over what it made before of the same inputs.

        Its outputs then hold the artifacts: `component.outputs["examples"].get()`.

        Args:
            component: A component, a Resolver or an Importer.
            enable_cache: Whether a result may be taken over.
            beam_pipeline_args: Flags in place of the notebook's own.

        Raises:
            ValueError: if the component cannot run as it is, or what it reads was not made here.
            PipelineRunError: if it failed; with the lines of your own code in which it did.
            RunCanceled: if the kernel was interrupted.
        """
        try:
            result = self._run(component, enable_cache, beam_pipeline_args)
        except (TypeError, ValueError) as error:
            if is_refusal(error):
                _show_message_alone(error)
            raise
        outputs = result.outputs.get(component.id)
        if outputs is not None:
            self._made[component] = dict(outputs)
            for key, channel in component.outputs.items():
                records = outputs.get(key, [])
                channel.set_artifacts(from_record(record, channel.type) for record in records)
        return ExecutionResult(component, result.executions.get(component.id), result)

    def show(self, item: Any) -> None:
        """Draws what an object has to show: statistics, a schema, anomalies, an evaluation, or
        what an installed package has a view of.

        Args:
            item: An artifact, a channel, a component or the result of a run; anything else is
                displayed as the last line of a cell would be.
        """
        from IPython.display import display

        if isinstance(item, ExecutionResult):
            item = item.component
        if isinstance(item, BaseNode):
            for channel in item.outputs.values():
                self.show(channel)
        elif isinstance(item, Channel):
            artifacts = list(item.get())
            for artifact in artifacts:
                self.show(artifact)
            if not artifacts:
                display_html(html("<i>{}</i>", printable(_why_empty(item))))
        elif isinstance(item, Artifact):
            display_html(html("<b>Artifact at {}</b><br/><br/>", printable(item.uri)))
            show_artifact(item)
        else:
            display(item)  # type: ignore[no-untyped-call]

    def close(self) -> None:
        """Ends the processes that wait for more components. The notebook's end does it as well."""
        atexit.unregister(self._pool.end)
        self._pool.end()
        self._pool = LastingWorkerPool()

    def _run(
        self,
        component: BaseNode,
        enable_cache: bool,
        beam_pipeline_args: Sequence[str] | None,
    ) -> RunResult:
        if not isinstance(component, BaseNode):
            raise TypeError(
                f"Expected a component, got {component!r}. Pass what was declared, for example "
                "CsvExampleGen(input_base='data')."
            )
        flags = self.beam_pipeline_args if beam_pipeline_args is None else beam_pipeline_args
        runner = _NotebookRunner(self._pool, self._find_inputs(component))
        pipeline = _SingleNodePipeline(
            self.pipeline_name,
            self.pipeline_root,
            self.metadata_connection_config,
            components=[component],
            enable_cache=enable_cache,
            beam_pipeline_args=list(flags),
        )
        return runner.run(pipeline)

    def _find_inputs(self, component: BaseNode) -> dict[str, Records]:
        """What the producers of a component's inputs have made here, by their ids."""
        producers: dict[str, BaseNode] = {}
        found: dict[str, Records] = {}
        for name, output in _outputs_read_by(component):
            producer: Any = output.producer
            if producer not in self._made:
                raise ValueError(
                    f"Unresolved input channel {name!r} of {component.id}: {producer.id} has not "
                    f"been run in this notebook, or failed. Run it first: run({producer.id})."
                )
            if producers.setdefault(producer.id, producer) is not producer:
                raise ValueError(
                    f"{component.id} reads from two different components with the id "
                    f"{producer.id!r}: give one of them another with .with_id(), and run it again."
                )
            found[producer.id] = self._made[producer]
            _check_is_there(found[producer.id].get(output.output_key or "", []), producer)
        return found


class _NotebookRunner(LocalDagRunner):
    """Runs one component in processes that outlive the run."""

    def __init__(self, pool: WorkerPool, made_before: Mapping[str, Records]) -> None:
        super().__init__()
        self._pool = pool
        self._outside = made_before

    def make_launcher(self) -> Launcher:
        return LocalLauncher(self._pool)

    def _made_before(self) -> Mapping[str, Records]:
        return self._outside


class _SingleNodePipeline(Pipeline):
    """A pipeline of one node; what it reads was made before, so that none upstream is added."""

    def _with_upstream(self, nodes: Iterable[BaseNode]) -> list[BaseNode]:
        return list(nodes)


def _outputs_read_by(component: BaseNode) -> Iterator[tuple[str, OutputChannel]]:
    """The outputs of other nodes that a component's inputs and conditions come from, by input."""
    channels: dict[str, BaseChannel] = {**component.inputs, **component.hidden_inputs}
    for name, channel in channels.items():
        outputs = list(channel.producers())
        looks_up = isinstance(channel, ResolvedChannel) or not isinstance(component, BaseComponent)
        if not outputs and not looks_up and not channel.is_optional:
            raise ValueError(
                f"Unresolved input channel {name!r} of {component.id}: it does not come from a "
                "component that was run here. Pass an output of one, for example "
                "example_gen.outputs['examples']; an Importer brings in what lies on disk."
            )
        for output in outputs:
            yield name, output


def _why_empty(channel: Channel) -> str:
    producer = getattr(channel, "producer", None)
    if producer is None:
        return "Nothing to show: the channel has no artifacts."
    return f"Nothing to show: {producer.id} has not been run in this notebook, or made nothing."


def _show_message_alone(error: Exception) -> None:
    """Lets IPython leave out the frames of this package: the message says it all."""
    vars(error)["_render_traceback_"] = lambda: [f"{type(error).__name__}: {error}"]


def _check_is_there(records: Sequence[Any], producer: BaseNode) -> None:
    for record in records:
        if not (is_remote(record.uri) or os.path.exists(record.uri)):
            raise ValueError(
                f"The artifact {record.uri} of {producer.id} is gone. Run {producer.id} again."
            )


def _time_as_name() -> str:
    return datetime.datetime.now().isoformat().replace(":", "_")
