"""PipelineInfo and ComponentInfo: what a driver or an executor is told of where it runs."""

from __future__ import annotations

from typing import Any


class PipelineInfo:
    """A pipeline and one of its runs.

    Args:
        pipeline_name: The pipeline's name.
        pipeline_root: The directory that the artifacts are written below.
        run_id: The run; None for the pipeline as such.
    """

    def __init__(self, pipeline_name: str, pipeline_root: Any, run_id: str | None = None) -> None:
        self.pipeline_name = pipeline_name
        self.pipeline_root = pipeline_root
        self.run_id = run_id

    @property
    def pipeline_run_context_name(self) -> str:
        """The name of the run's context in the metadata store."""
        return f"{self.pipeline_name}.{self.run_id}"

    @property
    def pipeline_context_name(self) -> str:
        """The name of the pipeline's context in the metadata store."""
        return self.pipeline_name

    def __repr__(self) -> str:
        return (
            f"PipelineInfo(pipeline_name: {self.pipeline_name}, pipeline_root: "
            f"{self.pipeline_root}, run_id: {self.run_id})"
        )


class ComponentInfo:
    """A node of a pipeline.

    Args:
        component_type: The name under which the store knows its executions.
        component_id: Its id.
        pipeline_info: The pipeline.
    """

    def __init__(self, component_type: str, component_id: str, pipeline_info: PipelineInfo) -> None:
        self.component_type = component_type
        self.component_id = component_id
        self.pipeline_info = pipeline_info

    @property
    def component_run_context_name(self) -> str:
        """The name of the node's context in a run, or of the node in the pipeline."""
        info = self.pipeline_info
        around = info.pipeline_run_context_name if info.run_id else info.pipeline_context_name
        return f"{around}.{self.component_id}"

    def __repr__(self) -> str:
        return (
            f"ComponentInfo(component_type: {self.component_type}, component_id: "
            f"{self.component_id}, pipeline_info: {self.pipeline_info})"
        )
