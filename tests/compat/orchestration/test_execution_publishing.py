"""An execution from its registration to its outputs, in a metadata store in memory."""

import pytest

from trainwright.compat.mlmd.connection_manager import MLMDConnectionManager
from trainwright.compat.mlmd.executions import get_input_artifacts, get_output_artifacts
from trainwright.compat.orchestration import execution_publishing as publishing
from trainwright.compat.orchestration.execution_cache import get_cache_context, get_cached_outputs
from trainwright.compat.orchestration.node_outputs import (
    RESOLVED_AT_RUNTIME,
    populate_output_artifact,
)
from trainwright.compat.orchestration.output_merging import merge_updated_output_artifacts
from trainwright.proto.mlmd.metadata_store_pb2 import Execution, ExecutionType
from trainwright.proto.orchestration import pipeline_pb2
from trainwright.proto.orchestration.execution_result_pb2 import ExecutorOutput
from trainwright.types.artifact import ArtifactState
from trainwright.types.standard_artifacts import Examples, Model

TRAIN = ExecutionType(name="Train")


@pytest.fixture
def handle():
    with MLMDConnectionManager.fake() as manager:
        yield manager.primary_mlmd_handle


def _model(uri, state=None):
    model = Model()
    model.uri = str(uri)
    if state:
        model.state = state
    return model


def _state(handle, execution_id):
    (execution,) = handle.store.get_executions_by_id([execution_id])
    return execution.last_known_state


def test_an_execution_is_complete_with_what_its_executor_says(handle):
    examples = Examples()
    examples.uri = "/examples"
    execution = publishing.register_execution(
        handle, TRAIN, [], {"examples": [examples]}, {"steps": 3}
    )
    assert _state(handle, execution.id) == Execution.RUNNING
    assert execution.custom_properties["steps"].int_value == 3
    assert get_input_artifacts(handle, execution.id)["examples"][0].uri == "/examples"

    planned = {"model": [_model("/model")], "checkpoint": [_model("/c", ArtifactState.REFERENCE)]}
    said = _model("/model")
    said.set_int_custom_property("size", 5)
    result = ExecutorOutput()
    populate_output_artifact(result, {"model": [said]})
    result.execution_result.result_message = "well"
    outputs, _ = publishing.publish_succeeded_execution(handle, execution.id, [], planned, result)
    assert outputs["model"][0].state == ArtifactState.PUBLISHED
    assert outputs["checkpoint"] == []
    assert _state(handle, execution.id) == Execution.COMPLETE
    stored = get_output_artifacts(handle, execution.id)["model"][0]
    assert stored.get_int_custom_property("size") == 5


def test_a_failure_is_stored_with_its_message(handle):
    execution = publishing.register_execution(handle, TRAIN, [])
    result = ExecutorOutput()
    result.execution_result.result_message = "no memory"
    publishing.publish_failed_execution(handle, [], execution.id, result)
    (stored,) = handle.store.get_executions_by_id([execution.id])
    assert stored.last_known_state == Execution.FAILED
    assert "no memory" in stored.custom_properties["__execution_result__"].string_value


def test_what_an_executor_may_not_change():
    with pytest.raises(RuntimeError, match="contains more keys than output skeleton"):
        merge_updated_output_artifacts({}, {"model": [_model("/m").mlmd_artifact]})
    two = [_model("/elsewhere/1").mlmd_artifact, _model("/elsewhere/2").mlmd_artifact]
    with pytest.raises(RuntimeError, match="direct sub-directories"):
        merge_updated_output_artifacts({"model": [_model("/m")]}, {"model": two})


def test_an_output_that_was_never_resolved_is_not_published():
    planned = {"table": [_model(RESOLVED_AT_RUNTIME)], "model": [_model("/m")]}
    merged = merge_updated_output_artifacts(planned, {"model": [_model("/m").mlmd_artifact]})
    assert merged["table"] == []
    assert [one.uri for one in merged["model"]] == ["/m"]
    assert len(planned["table"]) == 1


def test_cached_outputs_are_those_that_are_still_there(handle, tmp_path):
    node = pipeline_pb2.PipelineNode()
    pipeline = pipeline_pb2.PipelineInfo(id="penguin")
    context = get_cache_context(handle, node, pipeline, parameters={"steps": 3})
    assert get_cached_outputs(handle, context) is None
    execution = publishing.register_execution(handle, TRAIN, [context])
    model = tmp_path / "model"
    model.mkdir()
    publishing.publish_succeeded_execution(
        handle, execution.id, [context], {"model": [_model(model)]}
    )
    assert get_cached_outputs(handle, context)["model"][0].uri == str(model)
    model.rmdir()
    assert get_cached_outputs(handle, context) is None


def test_a_cache_key_is_of_what_goes_in_and_not_of_where_it_goes(handle, tmp_path):
    node = pipeline_pb2.PipelineNode()
    pipeline = pipeline_pb2.PipelineInfo(id="penguin")
    module = tmp_path / "module.py"
    module.write_text("a = 1")

    def key(uri="/a", **parameters):
        return get_cache_context(
            handle, node, pipeline, output_artifacts={"model": [_model(uri)]}, parameters=parameters
        ).name

    assert key("/a") == key("/b")
    assert key(steps=1) != key(steps=2)
    before = key(module_file=str(module))
    module.write_text("a = 2")
    assert key(module_file=str(module)) != before
