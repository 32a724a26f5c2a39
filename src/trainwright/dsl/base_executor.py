"""BaseExecutor: the work of a component, as `Do(input_dict, output_dict, exec_properties)`."""

from __future__ import annotations

import abc
import logging
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from trainwright.types.artifact import Artifact

_logger = logging.getLogger(__name__)

ArtifactDict = dict[str, list[Artifact]]

# The custom property of an output artifact whose lines the summary of a run shows.
SUMMARY_KEY = "summary"


def _ignore_progress(message: Mapping[str, Any]) -> None:
    """Progress goes nowhere unless a worker listens."""


@dataclass
class ExecutorContext:
    """What an executor may know of the execution it works for.

    A test that calls an executor by hand makes one itself:
    `MyExecutor(MyExecutor.Context(tmp_dir=str(tmp_path), unique_id="1"))`.

    Args:
        extra_flags: The flags of the executor spec (`ExecutorClassSpec.add_extra_flags`).
        tmp_dir: Where the executor's own files go, below its unique id; removed after the
            execution.
        unique_id: The execution's id as a string.
        executor_output_uri: None: an executor returns, it does not write its result to a file.
        stateful_working_dir: A directory that outlives an attempt: what is put there, the next
            attempt at the same work finds in its own, whether this one fails or is killed. It goes
            when the work is done. Its path differs from attempt to attempt. None outside of a run.
        pipeline_node: The node's message, where the caller has one.
        pipeline_info: The pipeline's message, where the caller has one.
        pipeline_run_id: The run's id.
        pipeline_name: The pipeline's name.
        pipeline_root: Where the pipeline's artifacts go.
        node_id: The node's id.
        beam_pipeline_args: Flags for executors that run on Beam.
        engine: The engine that passes over data run on, by name or URL; None for the local one.
            `trainwright.engine.choice.open_engine` opens it.
        earlier_outputs: The directories that failed attempts at this very work have left, by the
            key of the output, the latest first: outputs of types that are KEPT_ON_FAILURE.
        rank: Which of the node's processes this is, from 0 (`BaseComponent.with_processes`).
        num_processes: How many processes the node has.
        log_dir: The directory of the node's log, for logs of processes that the executor starts.
            None outside of a run.
        report_progress: Takes a JSON-like dict, for example {"rows": 1000}; shown to the user.
    """

    extra_flags: Sequence[str] | None = None
    tmp_dir: str | None = None
    unique_id: str | None = None
    executor_output_uri: str | None = None
    stateful_working_dir: str | None = None
    pipeline_node: Any = None
    pipeline_info: Any = None
    pipeline_run_id: str | None = None
    pipeline_name: str = field(default="", kw_only=True)
    pipeline_root: str = field(default="", kw_only=True)
    node_id: str = field(default="", kw_only=True)
    beam_pipeline_args: Sequence[Any] = field(default=(), kw_only=True)
    engine: str | None = field(default=None, kw_only=True)
    earlier_outputs: Mapping[str, Sequence[str]] = field(default_factory=dict, kw_only=True)
    rank: int = field(default=0, kw_only=True)
    num_processes: int = field(default=1, kw_only=True)
    log_dir: str | None = field(default=None, kw_only=True)
    report_progress: Callable[[Mapping[str, Any]], None] = field(
        default=_ignore_progress, kw_only=True
    )

    def get_tmp_path(self) -> str:
        """The directory for this execution's own files, which may not be there yet."""
        if not self.tmp_dir:
            raise RuntimeError("Temp path not available: the context has no tmp_dir.")
        return os.path.join(self.tmp_dir, str(self.unique_id or ""), "")


class BaseExecutor(abc.ABC):
    """Does the work of a node, in a process of its own.

    Outputs are written to the URIs of `output_dict`'s artifacts, whose properties may be set; they
    become visible to other nodes only after `Do` returned. An exception fails the node.

    >>> class Greeter(BaseExecutor):
    ...     def Do(self, input_dict, output_dict, exec_properties):
    ...         output_dict["greeting"][0].value = f"Hello, {exec_properties['name']}"
    """

    Context: ClassVar[type[ExecutorContext]] = ExecutorContext

    # Modules that take long to import and that this executor needs; see BaseDriver.preload.
    PRELOAD: ClassVar[tuple[str, ...]] = ()

    # Whether TFX runs this on Beam: here its passes run on an engine, which a runner that Beam's
    # flags name may be.
    REPLACES_BEAM: ClassVar[bool] = False

    # Why no node can run with this executor here; said before the run. Empty if it can.
    CANNOT_RUN: ClassVar[str] = ""

    # Why a node with this executor runs here and still ends without its outputs. Empty if not.
    CANNOT_FINISH: ClassVar[str] = ""

    # Whether it divides its work by `context.rank`, so that a node may be several processes.
    USES_RANKS: ClassVar[bool] = False

    # Inputs whose files the passes of this executor open by themselves, wherever they run. On an
    # engine elsewhere they keep their URIs in an object store, instead of being copied to the node.
    STREAMED_INPUTS: ClassVar[tuple[str, ...]] = ()

    # Raised when the same inputs would give another result: part of the cache key.
    VERSION: ClassVar[int] = 1

    def __init__(self, context: ExecutorContext | None = None) -> None:
        self._context = context
        self._extra_flags = context.extra_flags if context else None

    @abc.abstractmethod
    def Do(
        self,
        input_dict: ArtifactDict,
        output_dict: ArtifactDict,
        exec_properties: dict[str, Any],
    ) -> Any:
        """Reads the inputs, writes the outputs."""

    @classmethod  # noqa: B027
    def check_exec_properties(cls, node_id: str, exec_properties: Mapping[str, Any]) -> None:
        """Refuses, before any node of the pipeline starts, what this executor cannot work with.

        A component's driver checks what the component needs; this is for executors that components
        of several kinds may be given. Raises ValueError.
        """

    @property
    def context(self) -> ExecutorContext:
        """The execution's context; an empty one when the executor is called by hand."""
        return self._context or ExecutorContext()

    def _get_tmp_dir(self) -> str:
        """A directory for this execution's own files."""
        if self._context is None:
            raise RuntimeError(
                "No context for the executor. Make it with one to get a temporary directory: "
                f"{type(self).__name__}(ExecutorContext(tmp_dir=..., unique_id='1'))."
            )
        path = self._context.get_tmp_path()
        os.makedirs(path, exist_ok=True)
        return path

    def _log_startup(
        self, inputs: ArtifactDict, outputs: ArtifactDict, exec_properties: dict[str, Any]
    ) -> None:
        """Logs that the execution starts; executors that were written for TFX call it."""
        _logger.debug("Starting %s execution.", type(self).__name__)


class EmptyExecutor(BaseExecutor):
    """Does nothing; for tests of pipelines."""

    def Do(
        self,
        input_dict: ArtifactDict,
        output_dict: ArtifactDict,
        exec_properties: dict[str, Any],
    ) -> None:
        return None
