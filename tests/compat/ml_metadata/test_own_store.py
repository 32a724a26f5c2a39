"""Trainwright's own store, read as TFX's tutorials read theirs."""

import pytest

import ml_metadata as mlmd
from ml_metadata.proto import metadata_store_pb2 as pb
from tfx import v1 as tfx
from tfx.orchestration import metadata
from tfx.orchestration.portable.mlmd import execution_lib, store_ext

SCRIPT = """
from tfx import v1 as tfx
from tfx.types.standard_artifacts import Model, ModelBlessing

@tfx.dsl.components.component
def Train(steps: tfx.dsl.components.Parameter[int], rate: tfx.dsl.components.Parameter[float],
          model: tfx.dsl.components.OutputArtifact[Model]):
    model.set_string_custom_property("tags", "a,b")
    model.set_int_custom_property("steps", steps)
    model.custom_properties["layers"] = [8, 8]
    model.custom_properties["good"] = True
    model.custom_properties["nan"] = float("nan")
    model.custom_properties["big"] = 2**53

@tfx.dsl.components.component
def Evaluate(model: tfx.dsl.components.InputArtifact[Model],
             baseline: tfx.dsl.components.InputArtifact[Model],
             blessing: tfx.dsl.components.OutputArtifact[ModelBlessing]):
    blessing.set_int_custom_property("blessed", 1)

trainer = Train(steps=3, rate=0.5).with_id("Trainer")
evaluator = Evaluate(model=trainer.outputs["model"], baseline=trainer.outputs["model"])
tfx.orchestration.LocalDagRunner().run(
    tfx.dsl.Pipeline(
        pipeline_name="penguin",
        pipeline_root="root",
        components=[trainer, evaluator.with_id("Evaluator")],
        metadata_connection_config=(
            tfx.orchestration.metadata.sqlite_metadata_connection_config("metadata/metadata.db")
        ),
    )
)
"""


@pytest.fixture(scope="module")
def config(tmp_path_factory):
    """The store of two runs of a small pipeline."""
    import os
    import subprocess
    import sys
    from pathlib import Path

    import trainwright

    directory = tmp_path_factory.mktemp("project")
    (directory / "pipeline.py").write_text(SCRIPT)
    sources = str(Path(trainwright.__file__).parents[1])
    for _ in range(2):
        subprocess.run(
            [sys.executable, "pipeline.py"],
            cwd=directory,
            check=True,
            capture_output=True,
            env={**os.environ, "PYTHONPATH": sources},
        )
    path = str(directory / "metadata" / "metadata.db")
    return tfx.orchestration.metadata.sqlite_metadata_connection_config(path)


def test_the_latest_outputs_of_a_node_as_the_tutorials_look_them_up(config):
    with metadata.Metadata(config) as handle:
        context = handle.store.get_context_by_type_and_name("node", "penguin.Trainer")
        executions = handle.store.get_executions_by_context(context.id)
        latest = max(executions, key=lambda one: one.last_update_time_since_epoch)
        outputs = execution_lib.get_output_artifacts(handle, latest.id)
        inputs = execution_lib.get_input_artifacts(handle, latest.id)
        # As the tutorials of earlier versions have it.
        before = execution_lib.get_artifacts_dict(handle, latest.id, [pb.Event.OUTPUT])
        long_before = execution_lib.get_artifacts_dict(handle, latest.id, pb.Event.OUTPUT)
    assert [one.last_known_state for one in executions] == [pb.Execution.COMPLETE] * 2
    assert latest.id == executions[0].id
    assert inputs == {}
    assert before["model"][0].id == long_before["model"][0].id == outputs["model"][0].id
    (model,) = outputs["model"]
    assert model.type_name == "Model"
    assert model.uri.endswith(f"root/Trainer/model/{latest.id}")
    assert model.get_string_custom_property("tags") == "a,b"


def test_types_properties_and_events_are_those_of_tfx(config):
    store = mlmd.MetadataStore(config)
    (pipeline,) = store.get_contexts_by_type("pipeline")
    assert pipeline.name == "penguin"
    assert len(store.get_contexts_by_type("pipeline_run")) == 2
    model_type = store.get_artifact_type("Model")
    assert model_type.base_type == pb.ArtifactType.MODEL
    models = store.get_artifacts_by_type("Model")
    assert {one.state for one in models} == {pb.Artifact.LIVE}
    properties = models[0].custom_properties
    assert properties["steps"].int_value == 3
    assert properties["good"].bool_value is True
    assert list(properties["layers"].struct_value["__value__"]) == [8, 8]
    assert properties["nan"].string_value == "nan"
    assert properties["big"].int_value == 2**53
    assert models[0].create_time_since_epoch > 1_600_000_000_000
    node = store.get_context_by_type_and_name("node", "penguin.Trainer")
    execution = store.get_executions_by_context(node.id)[-1]
    assert execution.custom_properties["steps"].int_value == 3
    assert execution.custom_properties["rate"].double_value == 0.5
    (event,) = store.get_events_by_execution_ids([execution.id])
    assert event.type == pb.Event.OUTPUT
    assert [step.key or step.index for step in event.path.steps] == ["model", 0]


def test_an_artifact_at_two_places_has_one_event(config):
    store = mlmd.MetadataStore(config)
    node = store.get_context_by_type_and_name("node", "penguin.Evaluator")
    execution = store.get_executions_by_context(node.id)[0]
    events = store.get_events_by_execution_ids([execution.id])
    (event,) = [one for one in events if one.type == pb.Event.INPUT]
    steps = [step.key or step.index for step in event.path.steps]
    assert steps == ["baseline", 0, "model", 0]


def test_filter_queries_and_lineage_work_on_it(config):
    store = mlmd.MetadataStore(config)
    query = "contexts_0.name = 'penguin.Trainer' AND custom_properties.tags.string_value = 'a,b'"
    newest = mlmd.ListOptions(
        filter_query=query, limit=1, order_by=mlmd.OrderByField.CREATE_TIME, is_asc=False
    )
    (model,) = store.get_artifacts(newest)
    options = pb.LineageSubgraphQueryOptions(direction=pb.LineageSubgraphQueryOptions.DOWNSTREAM)
    options.starting_artifacts.filter_query = f"id = {model.id}"
    graph = store.get_lineage_subgraph(options)
    assert sorted(one.type for one in graph.artifacts) == ["Model", "ModelBlessing"]
    assert [one.type.rpartition(".")[2] for one in graph.executions] == ["Evaluate"]
    by_key = store_ext.get_live_output_artifacts_of_node_by_output_key(
        store, pipeline_id="penguin", node_id="Trainer"
    )
    assert [[one.id for one in group] for group in by_key["model"]][0] == [model.id]
