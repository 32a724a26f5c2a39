"""ExecutionInfo: what TFX hands to an executor, as an object and as a message."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from trainwright.compat.mlmd import property_values
from trainwright.proto.orchestration import execution_invocation_pb2, pipeline_pb2
from trainwright.types.artifact import Artifact


@dataclass
class ExecutionInfo:
    """An execution: its artifacts, its properties and where it belongs.

    Args:
        execution_id: Its id in the metadata store.
        input_dict: The input artifacts by key.
        output_dict: The output artifacts by key.
        exec_properties: The properties by name.
        execution_output_uri: The file that the executor's result is written to.
        stateful_working_dir: A directory that later attempts of the execution find again.
        tmp_dir: A directory for this attempt.
        pipeline_node: The node, as compiled.
        pipeline_info: The pipeline.
        pipeline_run_id: The run.
        top_level_pipeline_run_id: The run of the outermost pipeline.
        frontend_url: A page about the run.
    """

    execution_id: int | None = None
    input_dict: dict[str, list[Artifact]] = field(default_factory=dict)
    output_dict: dict[str, list[Artifact]] = field(default_factory=dict)
    exec_properties: dict[str, Any] = field(default_factory=dict)
    execution_output_uri: str | None = None
    stateful_working_dir: str | None = None
    tmp_dir: str | None = None
    pipeline_node: pipeline_pb2.PipelineNode | None = None
    pipeline_info: pipeline_pb2.PipelineInfo | None = None
    pipeline_run_id: str | None = None
    top_level_pipeline_run_id: str | None = None
    frontend_url: str | None = None

    def to_proto(self) -> execution_invocation_pb2.ExecutionInvocation:
        """The message with all of it."""
        properties = self.exec_properties
        return execution_invocation_pb2.ExecutionInvocation(
            execution_id=self.execution_id,
            input_dict=property_values.build_artifact_struct_dict(self.input_dict),
            output_dict=property_values.build_artifact_struct_dict(self.output_dict),
            execution_properties=property_values.build_metadata_value_dict(properties),
            execution_properties_with_schema=property_values.build_pipeline_value_dict(properties),
            output_metadata_uri=self.execution_output_uri,
            stateful_working_dir=self.stateful_working_dir,
            tmp_dir=self.tmp_dir,
            pipeline_node=self.pipeline_node,
            pipeline_info=self.pipeline_info,
            pipeline_run_id=self.pipeline_run_id,
            top_level_pipeline_run_id=self.top_level_pipeline_run_id,
            frontend_url=self.frontend_url,
        )

    @classmethod
    def from_proto(
        cls, execution_invocation: execution_invocation_pb2.ExecutionInvocation
    ) -> ExecutionInfo:
        """The object that a message was made from."""
        given = execution_invocation
        if given.execution_properties_with_schema:
            properties = property_values.build_parsed_value_dict(
                given.execution_properties_with_schema
            )
        else:
            properties = property_values.build_value_dict(given.execution_properties)
        return cls(
            execution_id=given.execution_id,
            input_dict=property_values.build_artifact_dict(given.input_dict),
            output_dict=property_values.build_artifact_dict(given.output_dict),
            exec_properties=properties,
            execution_output_uri=given.output_metadata_uri,
            stateful_working_dir=given.stateful_working_dir,
            tmp_dir=given.tmp_dir,
            pipeline_node=given.pipeline_node,
            pipeline_info=given.pipeline_info,
            pipeline_run_id=given.pipeline_run_id,
            top_level_pipeline_run_id=given.top_level_pipeline_run_id,
            frontend_url=given.frontend_url,
        )
