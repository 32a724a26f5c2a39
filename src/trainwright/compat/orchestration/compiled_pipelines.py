"""Questions about compiled pipelines."""

from __future__ import annotations

from trainwright.proto.orchestration import pipeline_pb2


def is_subpipeline(pipeline: pipeline_pb2.Pipeline) -> bool:
    """Whether a compiled pipeline is within another one."""
    return bool(pipeline.pipeline_info.parent_ids)
