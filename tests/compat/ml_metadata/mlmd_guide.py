"""Steps of ML Metadata's guide and TFX's tutorial. Also runs under ml-metadata itself.

python mlmd_guide.py FILE    works on a new file, and asserts what the guide says is there
"""

import sys

import ml_metadata as mlmd
from ml_metadata import metadata_store
from ml_metadata.proto import metadata_store_pb2 as pb


def record(store):
    """Records a training by hand: types, nodes, and then what connects them."""
    data_type = pb.ArtifactType(name="DataSet")
    data_type.properties["day"] = pb.INT
    data_type.properties["split"] = pb.STRING
    data_type_id = store.put_artifact_type(data_type)
    model_type = pb.ArtifactType(name="SavedModel")
    model_type.properties["version"] = pb.INT
    model_type_id = store.put_artifact_type(model_type)
    trainer_type = pb.ExecutionType(name="Trainer", properties={"state": pb.STRING})
    trainer_type_id = store.put_execution_type(trainer_type)
    experiment_type = pb.ContextType(name="Experiment", properties={"note": pb.STRING})
    experiment_type_id = store.put_context_type(experiment_type)

    data = pb.Artifact(uri="path/to/data", type_id=data_type_id)
    data.properties["day"].int_value = 1
    data.properties["split"].string_value = "train"
    [data_id] = store.put_artifacts([data])
    training = pb.Execution(type_id=trainer_type_id)
    training.properties["state"].string_value = "RUNNING"
    [run_id] = store.put_executions([training])
    store.put_events(
        [pb.Event(artifact_id=data_id, execution_id=run_id, type=pb.Event.DECLARED_INPUT)]
    )
    model = pb.Artifact(uri="path/to/model", type_id=model_type_id)
    model.properties["version"].int_value = 1
    [model_id] = store.put_artifacts([model])
    store.put_events(
        [pb.Event(artifact_id=model_id, execution_id=run_id, type=pb.Event.DECLARED_OUTPUT)]
    )
    training.id = run_id
    training.properties["state"].string_value = "COMPLETED"
    store.put_executions([training])
    experiment = pb.Context(type_id=experiment_type_id, name="exp1")
    experiment.properties["note"].string_value = "My first experiment."
    [experiment_id] = store.put_contexts([experiment])
    attribution = pb.Attribution(artifact_id=model_id, context_id=experiment_id)
    association = pb.Association(execution_id=run_id, context_id=experiment_id)
    store.put_attributions_and_associations([attribution], [association])
    return data_id, run_id, model_id, experiment_id


def ask(store, data_id, run_id, model_id, experiment_id):
    """Asks for each record, and from the model back to the data."""
    assert [one.name for one in store.get_artifact_types()] == ["DataSet", "SavedModel"]
    assert [one.id for one in store.get_artifacts()] == [data_id, model_id]
    (model,) = store.get_artifacts_by_type("SavedModel")
    assert (model.id, model.uri) == (model_id, "path/to/model")
    (found,) = store.get_artifacts_by_uri("path/to/data")
    assert found.properties["split"].string_value == "train"
    (made,) = store.get_events_by_artifact_ids([model.id])
    assert (made.type, made.execution_id) == (pb.Event.DECLARED_OUTPUT, run_id)
    (execution,) = store.get_executions_by_id([made.execution_id])
    assert execution.properties["state"].string_value == "COMPLETED"
    read = [
        event.artifact_id
        for event in store.get_events_by_execution_ids([execution.id])
        if event.type == pb.Event.DECLARED_INPUT
    ]
    assert read == [data_id]
    assert [one.id for one in store.get_artifacts_by_context(experiment_id)] == [model_id]
    assert [one.id for one in store.get_executions_by_context(experiment_id)] == [run_id]
    (context,) = store.get_contexts_by_artifact(model_id)
    assert context == store.get_context_by_type_and_name("Experiment", "exp1")
    newest = mlmd.ListOptions(
        limit=1, order_by=mlmd.OrderByField.CREATE_TIME, is_asc=False, filter_query="id > 0"
    )
    assert len(store.get_artifacts(newest)) == 1
    trained = mlmd.ListOptions(filter_query="properties.day.int_value = 1 AND type = 'DataSet'")
    assert [one.id for one in store.get_artifacts(trained)] == [data_id]


def refuse(store):
    try:
        store.get_artifact_type("Nothing")
    except mlmd.errors.NotFoundError:
        pass
    else:
        raise AssertionError("an unknown type was found")
    assert store.get_artifacts_by_type("Nothing") == []
    assert store.pipeline_asset is None


def work_on(path):
    config = pb.ConnectionConfig()
    config.sqlite.filename_uri = path
    config.sqlite.connection_mode = 3  # READWRITE_OPENCREATE
    ids = record(metadata_store.MetadataStore(config))
    store = mlmd.MetadataStore(config)
    ask(store, *ids)
    refuse(store)


if __name__ == "__main__":
    work_on(sys.argv[1])
