"""ExecutorOutput messages, for programs that call `Do` directly."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainwright.types.artifact import Artifact

if TYPE_CHECKING:
    from trainwright.proto.orchestration import execution_result_pb2


def output_with(key: str, artifact: Artifact) -> execution_result_pb2.ExecutorOutput:
    """The message that says which artifact an output holds."""
    from trainwright.proto.orchestration import execution_result_pb2

    output = execution_result_pb2.ExecutorOutput()
    output.output_artifacts[key].artifacts.append(artifact.mlmd_artifact)
    return output
