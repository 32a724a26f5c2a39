"""`Metadata`, its configs and the manager of several of them."""

import os

import pytest

from ml_metadata.proto import metadata_store_pb2 as pb
from tfx.orchestration import metadata
from tfx.orchestration.data_types import ComponentInfo, PipelineInfo
from tfx.orchestration.mlmd_connection_manager import MLMDConnectionManager, get_handle
from tfx.types.standard_artifacts import Examples, Model
from trainwright.metadata.connection import as_connection_config


@pytest.fixture
def handle():
    config = pb.ConnectionConfig()
    config.fake_database.SetInParent()
    with metadata.Metadata(config) as handle:
        yield handle


def test_a_config_is_the_message_and_makes_the_directory(tmp_path):
    path = str(tmp_path / "new" / "metadata.db")
    config = metadata.sqlite_metadata_connection_config(path)
    assert isinstance(config, pb.ConnectionConfig)
    assert config.sqlite.filename_uri == path
    assert os.listdir(tmp_path) == ["new"]
    assert as_connection_config(config).url == f"sqlite:///{path}"


def test_a_config_of_a_place_that_is_not_local():
    with pytest.raises(ValueError, match="path of a file on a local disk"):
        metadata.sqlite_metadata_connection_config("gs://bucket/metadata.db")


def test_mysql_can_be_declared_and_is_refused_when_used():
    config = metadata.mysql_metadata_connection_config("host", 3306, "tfx", "user", "hunter2")
    assert config.mysql.user == "user"
    with pytest.raises(ValueError, match="does not keep metadata in MySQL") as refused:
        as_connection_config(config)
    assert "hunter2" not in str(refused.value)
    with pytest.raises(RuntimeError, match="Failed to establish connection.*not a MySQL database"):
        metadata.Metadata(config).__enter__()


def test_the_store_is_open_within_the_outermost_with(handle):
    store = handle.store
    with handle:
        assert handle.store is store
    assert handle.store is store
    outside = metadata.Metadata(handle.connection_config)
    with pytest.raises(RuntimeError, match="not in enter state"):
        _ = outside.store


def test_a_manager_opens_each_store_once(tmp_path):
    with MLMDConnectionManager.sqlite(str(tmp_path / "a.db")) as manager:
        other = metadata.sqlite_metadata_connection_config(str(tmp_path / "b.db"))
        assert manager.primary_mlmd_handle is get_handle(manager)
        assert manager.get_mlmd_handle(other) is manager.get_mlmd_handle(other)
        assert manager.get_mlmd_handle(other) is not manager.primary_mlmd_handle
        with manager:
            pass
        assert manager.primary_mlmd_handle.store.get_artifacts() == []
    with pytest.raises(RuntimeError, match="is not entered yet"):
        manager.get_mlmd_handle()


@pytest.fixture
def pipeline_info():
    return PipelineInfo(pipeline_name="penguin", pipeline_root="/root", run_id="run-1")


def component(pipeline_info, name="Trainer"):
    return ComponentInfo(
        component_type="tests.Train", component_id=name, pipeline_info=pipeline_info
    )


def record(handle, pipeline_info, examples, **properties):
    """Records a run of a component that makes a model of examples."""
    contexts = handle.register_pipeline_contexts_if_not_exists(pipeline_info)
    info = component(pipeline_info)
    execution = handle.register_execution(
        pipeline_info, info, contexts, properties, {"examples": [examples]}
    )
    model = Model()
    model.uri = "/model"
    handle.publish_execution(info, {"model": [model]})
    return execution, model


def test_a_recorded_run_is_found_again(handle, pipeline_info):
    examples = Examples()
    examples.uri = "/examples"
    handle.publish_artifacts([examples])
    assert [one.id for one in handle.get_artifacts_by_uri("/examples")] == [examples.id]

    execution, model = record(handle, pipeline_info, examples, steps=3)
    (stored,) = handle.store.get_executions_by_id([execution.id])
    assert stored.last_known_state == pb.Execution.COMPLETE
    assert stored.properties["steps"].string_value == "3"
    assert stored.properties["component_id"].string_value == "Trainer"
    outputs = handle.get_outputs_of_execution(execution.id)
    assert [one.id for one in outputs["model"]] == [model.id]
    (found,) = handle.search_artifacts("model", pipeline_info, "Trainer")
    assert (found.uri, type(found)) == ("/model", Model)
    with pytest.raises(RuntimeError, match="Cannot find matching execution"):
        handle.search_artifacts("model", pipeline_info, "Evaluator")

    contexts = [handle.get_pipeline_context(pipeline_info)]
    (qualified,) = handle.get_qualified_artifacts(contexts, "Model", "Trainer", "model")
    assert qualified.id == model.id
    assert handle.get_qualified_artifacts(contexts, "Model", "Evaluator") == []
    assert handle.get_qualified_artifacts(contexts, "Unknown") == []
    by_type = handle.get_published_artifacts_by_type_within_context(
        ["Model", "Unknown"], contexts[0].id
    )
    assert [one.id for one in by_type["Model"]] == [model.id]
    assert by_type["Unknown"] == []


def test_registering_a_component_twice_updates_its_execution(handle, pipeline_info):
    contexts = handle.register_pipeline_contexts_if_not_exists(pipeline_info)
    info = component(pipeline_info)
    first = handle.register_execution(pipeline_info, info, list(contexts), {"steps": 1})
    second = handle.register_execution(pipeline_info, info, list(contexts), {"steps": 2})
    assert first.id == second.id
    (stored,) = handle.store.get_executions()
    assert stored.properties["steps"].string_value == "2"


def test_outputs_of_the_same_inputs_and_properties_are_cached(handle, pipeline_info):
    examples, other = Examples(), Examples()
    handle.publish_artifacts([examples, other])
    _, model = record(handle, pipeline_info, examples, steps=3)
    later = PipelineInfo(pipeline_name="penguin", pipeline_root="/root", run_id="run-2")

    def cached(inputs, **properties):
        return handle.get_cached_outputs(
            {"examples": [inputs]}, properties, later, component(later)
        )

    assert [one.id for one in cached(examples, steps=3)["model"]] == [model.id]
    assert cached(examples, steps=4) is None
    assert cached(other, steps=3) is None


def test_reserved_names_of_properties(handle, pipeline_info):
    with pytest.raises(ValueError, match="reserved key run_id"):
        handle.register_execution(pipeline_info, component(pipeline_info), [], {"run_id": "x"})


def test_a_read_only_store_that_is_missing(tmp_path):
    config = pb.ConnectionConfig()
    config.sqlite.filename_uri = str(tmp_path / "metadata.db")
    config.sqlite.connection_mode = pb.SqliteMetadataSourceConfig.READONLY
    with pytest.raises(RuntimeError, match="unable to open database file"):
        metadata.Metadata(config).__enter__()
