"""Output locations of compiled nodes, and what becomes of the directories."""

from pathlib import Path

import pytest
from google.protobuf import text_format

from trainwright.compat.orchestration import node_outputs
from trainwright.compat.orchestration.execution_info import ExecutionInfo
from trainwright.proto.mlmd.metadata_store_pb2 import Execution
from trainwright.proto.orchestration import execution_result_pb2, pipeline_pb2
from trainwright.types.artifact import ArtifactState
from trainwright.types.standard_artifacts import Integer, Model

NODE = """
node_info { id: "Trainer" }
outputs {
  outputs {
    key: "model"
    value { artifact_spec {
      type { name: "Model" }
      additional_custom_properties {
        key: "steps" value { field_value { int_value: 3 } }
      }
    } }
  }
  outputs { key: "loss" value { artifact_spec { type { name: "Integer" } } } }
  outputs {
    key: "table"
    value { artifact_spec {
      type { name: "Examples" }
      external_artifact_uris: ["/tables/a", "/tables/b"]
    } }
  }
  outputs { key: "checkpoint" value { artifact_spec { type { name: "Model" } is_async: true } } }
}
"""


@pytest.fixture
def outputs(tmp_path: Path) -> node_outputs.OutputsResolver:
    runtime = pipeline_pb2.PipelineRuntimeSpec()
    runtime.pipeline_root.field_value.string_value = str(tmp_path)
    return node_outputs.OutputsResolver(
        text_format.Parse(NODE, pipeline_pb2.PipelineNode()),
        pipeline_pb2.PipelineInfo(id="penguin"),
        runtime,
    )


def test_each_output_has_its_place_and_its_properties(outputs, tmp_path):
    made = outputs.generate_output_artifacts(7)
    (model,), (loss,), (checkpoint,) = made["model"], made["loss"], made["checkpoint"]
    assert isinstance(model, Model)
    assert model.uri == f"{tmp_path}/Trainer/model/7"
    assert model.get_int_custom_property("steps") == 3
    assert isinstance(loss, Integer)
    assert loss.uri == f"{tmp_path}/Trainer/loss/7/value"
    assert [one.uri for one in made["table"]] == ["/tables/a", "/tables/b"]
    assert all(one.is_external for one in made["table"])
    assert checkpoint.state == ArtifactState.REFERENCE


def test_directories_are_made_and_removed_but_not_those_of_others(outputs):
    made = outputs.generate_output_artifacts(7)
    node_outputs.make_output_dirs(made)
    assert Path(made["model"][0].uri).is_dir()
    assert Path(made["loss"][0].uri).read_text() == ""
    assert not Path("/tables").exists()
    node_outputs.remove_output_dirs(made)
    assert not Path(made["model"][0].uri).exists()
    assert not Path(made["loss"][0].uri).exists()


def test_a_property_without_a_value_is_refused(outputs):
    spec = pipeline_pb2.OutputSpec()
    spec.artifact_spec.type.name = "Model"
    spec.artifact_spec.additional_properties["version"].runtime_parameter.name = "version"
    with pytest.raises(RuntimeError, match="Property value is not a field_value for version"):
        node_outputs.generate_output_artifacts(1, {"model": spec}, "/node")


def test_later_attempts_find_the_working_directory_again(outputs, tmp_path):
    execution = Execution()
    execution.custom_properties["__stateful_working_dir_index__"].string_value = "seven"
    directory = outputs.get_stateful_working_directory(execution)
    assert directory == f"{tmp_path}/Trainer/.system/stateful_working_dir/seven"
    assert outputs.get_stateful_working_directory(execution) == directory
    assert outputs.get_stateful_working_directory(Execution()) != directory
    node_outputs.remove_stateful_working_dir(directory)
    node_outputs.remove_stateful_working_dir(directory)
    assert not Path(directory).exists()


def test_files_move_to_the_result_unless_it_has_them(outputs):
    info = ExecutionInfo(
        execution_output_uri=outputs.get_executor_output_uri(1),
        stateful_working_dir=outputs.get_stateful_working_directory(Execution()),
    )
    working, result = Path(info.stateful_working_dir), Path(info.execution_output_uri).parent
    (working / "sub").mkdir()
    (working / "sub" / "new").write_text("new")
    (working / "kept").write_text("other")
    (result / "kept").write_text("kept")
    node_outputs.migrate_executor_output_dir_from_stateful_working_directory(
        info, ["sub/new", "kept", "absent"]
    )
    assert (result / "sub" / "new").read_text() == "new"
    assert (result / "kept").read_text() == "kept"
    assert not (result / "absent").exists()


def test_only_plain_properties_go_into_a_result():
    output = execution_result_pb2.ExecutorOutput()
    node_outputs.populate_exec_properties(output, {"a": 1, "b": 0.5, "c": "d", "e": [1]})
    assert set(output.execution_properties) == {"a", "b", "c"}
