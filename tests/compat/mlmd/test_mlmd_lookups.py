"""TFX's helpers over a store: types, contexts, executions, artifacts, events, nodes."""

import unittest

import pytest

from ml_metadata.proto import metadata_store_pb2 as pb
from tfx.orchestration import metadata
from tfx.orchestration.portable.mlmd import (
    artifact_lib,
    common_utils,
    context_lib,
    event_lib,
    execution_lib,
    filter_query_builder,
    store_ext,
)
from tfx.proto.orchestration import execution_result_pb2, pipeline_pb2
from tfx.types.artifact import ArtifactState
from tfx.types.standard_artifacts import Examples, Model
from trainwright.compat.mlmd.records_for_tests import MlmdMixins


@pytest.fixture
def handle():
    config = pb.ConnectionConfig()
    config.fake_database.SetInParent()
    with metadata.Metadata(config) as handle:
        yield handle


def model_at(uri):
    model = Model()
    model.uri = uri
    return model


def prepared(handle, state=pb.Execution.RUNNING, **properties):
    execution_type = pb.ExecutionType(name="Train", properties={"steps": pb.INT})
    return execution_lib.prepare_execution(handle, execution_type, state, properties)


def test_a_type_grows_and_never_changes(handle):
    first = common_utils.register_type_if_not_exist(handle, pb.ArtifactType(name="A"))
    grown = common_utils.register_type_if_not_exist(
        handle, pb.ArtifactType(name="A", properties={"p": pb.INT})
    )
    assert (grown.id, dict(grown.properties)) == (first.id, {"p": pb.INT})
    with pytest.raises(RuntimeError, match="Conflicting properties comparing with existing"):
        common_utils.register_type_if_not_exist(
            handle, pb.ArtifactType(name="A", properties={"p": pb.STRING})
        )


def test_contexts_of_a_node_are_stored_once_and_runs_are_parts_of_pipelines(handle):
    node_contexts = pipeline_pb2.NodeContexts()
    for type_name, name in [("node", "penguin.Trainer"), ("pipeline_run", "r"), ("pipeline", "p")]:
        spec = node_contexts.contexts.add()
        spec.type.name = type_name
        spec.name.field_value.string_value = name
        spec.properties["note"].field_value.string_value = "x"
    pipeline, node, run = context_lib.prepare_contexts(handle, node_contexts)
    assert (pipeline.name, node.name, run.name) == ("p", "penguin.Trainer", "r")
    assert node.custom_properties["note"].string_value == "x"
    assert [one.name for one in handle.store.get_parent_contexts_by_context(run.id)] == ["p"]
    assert handle.store.get_parent_contexts_by_context(node.id) == []
    again = context_lib.prepare_contexts(handle, node_contexts)
    assert [one.id for one in again] == [pipeline.id, node.id, run.id]


def test_an_execution_and_its_artifacts(handle):
    context = context_lib.register_context_if_not_exists(handle, "pipeline", "penguin")
    examples = Examples()
    examples.uri = "/examples"
    execution = prepared(handle, pb.Execution.COMPLETE, steps=3, layers=[8, 8], flag=True)
    assert execution.properties["steps"].int_value == 3
    assert execution.custom_properties["layers"].string_value == "[8, 8]"
    assert execution_lib.get_schema_key("layers") in execution.custom_properties
    execution = execution_lib.put_execution(
        handle,
        execution,
        [context],
        input_artifacts={"examples": [examples]},
        output_artifacts={"model": [model_at("/a"), model_at("/b")]},
    )
    assert execution_lib.is_execution_successful(execution)
    outputs = execution_lib.get_output_artifacts(handle, execution.id)
    assert [one.uri for one in outputs["model"]] == ["/a", "/b"]
    assert all(isinstance(one, Model) for one in outputs["model"])
    assert outputs["model"][0].has_custom_property("tfx_version")
    assert execution_lib.get_input_artifacts(handle, execution.id)["examples"][0].id == examples.id
    found = execution_lib.get_executions_associated_with_all_contexts(handle, [context])
    assert [one.id for one in found] == [execution.id]
    assert execution_lib.get_output_artifacts(handle, 999) == {}


def test_an_input_under_two_keys_has_one_event(handle):
    model = model_at("/a")
    execution_lib.put_execution(handle, prepared(handle), [], output_artifacts={"model": [model]})
    user = execution_lib.put_execution(
        handle, prepared(handle), [], input_artifacts={"model": [model], "baseline": [model]}
    )
    (event,) = handle.store.get_events_by_execution_ids([user.id])
    assert event_lib.contains_key(event, "model")
    assert event_lib.contains_key(event, "baseline")
    inputs = execution_lib.get_input_artifacts(handle, user.id)
    assert inputs["model"][0].id == inputs["baseline"][0].id == model.id


def test_several_executions_at_once_share_an_input(handle):
    examples = Examples()
    execution_lib.put_execution(handle, prepared(handle), [], output_artifacts={"e": [examples]})
    models = [model_at("/a"), model_at("/b")]
    executions = execution_lib.put_executions(
        handle,
        [prepared(handle), prepared(handle)],
        [],
        [{"examples": [examples]}] * 2,
        [{"model": [model]} for model in models],
    )
    assert len(handle.store.get_artifacts_by_type("Examples")) == 1
    for execution, model in zip(executions, models, strict=True):
        outputs = execution_lib.get_output_artifacts(handle, execution.id)
        assert [one.id for one in outputs["model"]] == [model.id]
    with pytest.raises(ValueError, match="should be the same as the number of input"):
        execution_lib.put_executions(handle, [prepared(handle)], [], [{}, {}])


def test_outputs_are_registered_before_they_are_there(handle):
    context = context_lib.register_context_if_not_exists(handle, "pipeline", "penguin")
    execution = execution_lib.put_execution(handle, prepared(handle), [context])
    model = model_at("/a")
    execution_lib.register_output_artifacts(handle, execution.id, {"model": [model]})
    assert model.state == ArtifactState.PENDING
    pending = execution_lib.get_pending_output_artifacts(handle, execution.id)
    assert [one.id for one in pending["model"]] == [model.id]
    assert execution_lib.get_output_artifacts(handle, execution.id) == {}

    again = model_at("/a")
    execution_lib.register_output_artifacts(handle, execution.id, {"model": [again]})
    assert again.id == model.id
    with pytest.raises(ValueError, match="with a different set of output artifacts"):
        execution_lib.register_output_artifacts(handle, execution.id, {"model": [model_at("/b")]})
    execution.last_known_state = pb.Execution.COMPLETE
    handle.store.put_executions([execution])
    with pytest.raises(ValueError, match="Cannot register output artifacts on inactive"):
        execution_lib.register_output_artifacts(handle, execution.id, {"model": [model]})


def test_artifacts_are_updated_by_their_ids(handle):
    model = model_at("/a")
    execution_lib.put_execution(handle, prepared(handle), [], output_artifacts={"model": [model]})
    artifact_lib.update_artifacts(handle, {"model": [model]}, ArtifactState.DELETED)
    (stored,) = artifact_lib.get_artifacts_by_ids(handle, [model.id])
    assert stored.state == ArtifactState.DELETED
    with pytest.raises(ValueError, match="Could not find all MLMD artifacts"):
        artifact_lib.get_artifacts_by_ids(handle, [model.id, 999])
    with pytest.raises(ValueError, match="must have an MLMD ID"):
        artifact_lib.update_artifacts(handle, {"model": [model_at("/b")]})


def test_the_result_of_an_executor_is_kept_with_its_execution():
    execution = pb.Execution()
    assert execution_lib.get_execution_result(execution) is None
    result = execution_result_pb2.ExecutionResult(code=3, result_message="no")
    execution_lib.set_execution_result(result, execution)
    assert execution_lib.get_execution_result(execution) == result
    execution.custom_properties["__execution_result__"].string_value = "{"
    assert execution_lib.get_execution_result(execution, ignore_parse_errors=True) is None


def test_keys_of_the_orchestrator_and_of_the_component():
    properties = {"steps": 1, "__node_id__": "x", "__schema__steps__": "{}"}
    assert execution_lib.remove_internal_keys(properties) == {"steps": 1}
    assert [key for key in properties if execution_lib.is_schema_key(key)] == ["__schema__steps__"]


def test_events_that_do_not_fit_together():
    first = event_lib.generate_event(pb.Event.OUTPUT, "model", 1, artifact_id=1, execution_id=1)
    with pytest.raises(ValueError, match="not consecutive"):
        event_lib.reconstruct_artifact_id_multimap([first])
    other = event_lib.generate_event(pb.Event.OUTPUT, "model", 0, artifact_id=2, execution_id=2)
    with pytest.raises(ValueError, match="from the same execution"):
        event_lib.reconstruct_artifact_multimap([], [first, other])
    first.path.steps.add(key="odd")
    assert not event_lib.contains_key(first, "model")


def test_filter_queries_are_put_together():
    query = filter_query_builder.And(
        ["a = 1", filter_query_builder.And(["b = 2"]), filter_query_builder.Or(["c", "d"])]
    )
    assert str(query) == "(a = 1) AND (b = 2) AND ((c) OR (d))"
    assert query.list_options().filter_query == str(query)
    assert str(filter_query_builder.Or([])) == ""
    assert filter_query_builder.to_sql_string(['a"b', 1.5, False]) == '("a\\"b", 1.5, FALSE)'


class NodeTest(MlmdMixins, unittest.TestCase):
    def setUp(self):
        self.init_mlmd()

    def test_live_outputs_of_a_node_newest_first(self):
        node = self.put_context("node", "penguin.Trainer")
        run = self.put_context("pipeline_run", "second")
        gone = self.put_artifact("Model", state="DELETED")
        live = self.put_artifact("Model", custom_properties={"steps": 3})
        self.put_execution("Train", outputs={"model": [live, gone]}, contexts=[node])
        newest = self.put_artifact("Model")
        last = self.put_execution("Train", outputs={"model": [newest]}, contexts=[node, run])
        names = {"pipeline_id": "penguin", "node_id": "Trainer"}

        by_key = store_ext.get_live_output_artifacts_of_node_by_output_key(self.store, **names)
        ids = [[one.id for one in group] for group in by_key["model"]]
        assert ids == [[newest.id], [live.id]]
        all_live = store_ext.get_live_output_artifacts_of_node(self.store, **names)
        assert {one.id for one in all_live} == {live.id, newest.id}
        of_run = store_ext.get_node_executions(self.store, **names, pipeline_run_id="second")
        assert [one.id for one in of_run] == [last.id]
        failed = store_ext.get_node_executions(
            self.store, **names, execution_states=[pb.Execution.FAILED]
        )
        assert failed == []
