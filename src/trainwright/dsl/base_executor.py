"""BaseExecutor: the work of a component, as `Do(input_dict, output_dict, exec_properties)`."""

from __future__ import annotations

import abc
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from trainwright.types.artifact import Artifact

ArtifactDict = dict[str, list[Artifact]]


def _ignore_progress(message: Mapping[str, Any]) -> None:
    """Progress goes nowhere unless a worker listens."""


@dataclass(frozen=True, kw_only=True)
class ExecutorContext:
    """What an executor may know of the execution it works for.

    Args:
        tmp_dir: A directory for the executor's own files, removed after the execution.
        unique_id: The execution's id as text.
        pipeline_name: The pipeline's name.
        pipeline_run_id: The run's id.
        node_id: The node's id.
        beam_pipeline_args: Flags for executors that run on Beam.
        report_progress: Takes a JSON-like dict, for example {"rows": 1000}; shown to the user.
    """

    tmp_dir: str | None = None
    unique_id: str = ""
    pipeline_name: str = ""
    pipeline_run_id: str = ""
    node_id: str = ""
    beam_pipeline_args: tuple[str, ...] = ()
    report_progress: Callable[[Mapping[str, Any]], None] = field(default=_ignore_progress)

    def get_tmp_path(self) -> str:
        if not self.tmp_dir:
            raise RuntimeError("This executor context has no temporary directory.")
        os.makedirs(self.tmp_dir, exist_ok=True)
        return self.tmp_dir


class BaseExecutor(abc.ABC):
    """Does the work of a node, in a process of its own.

    Outputs are written to the URIs of `output_dict`'s artifacts, whose properties may be set; they
    become visible to other nodes only after `Do` returned. An exception fails the node.

    >>> class Greeter(BaseExecutor):
    ...     def Do(self, input_dict, output_dict, exec_properties):
    ...         output_dict["greeting"][0].value = f"Hello, {exec_properties['name']}"
    """

    Context = ExecutorContext

    # Modules that take long to import and that this executor needs; see BaseDriver.preload.
    PRELOAD: ClassVar[tuple[str, ...]] = ()

    # Whether TFX runs this on Beam: here this machine does the work, whatever runner is named.
    REPLACES_BEAM: ClassVar[bool] = False

    # Raised when the same inputs would give another result: part of the cache key.
    VERSION: ClassVar[int] = 1

    def __init__(self, context: ExecutorContext | None = None) -> None:
        self._context = context

    @abc.abstractmethod
    def Do(
        self,
        input_dict: ArtifactDict,
        output_dict: ArtifactDict,
        exec_properties: dict[str, Any],
    ) -> Any:
        """Reads the inputs, writes the outputs."""

    @property
    def context(self) -> ExecutorContext:
        """The execution's context; an empty one when the executor is called by hand."""
        return self._context or ExecutorContext()

    def _get_tmp_dir(self) -> str:
        return self.context.get_tmp_path()


class EmptyExecutor(BaseExecutor):
    """Does nothing; for tests of pipelines."""

    def Do(
        self,
        input_dict: ArtifactDict,
        output_dict: ArtifactDict,
        exec_properties: dict[str, Any],
    ) -> None:
        return None
