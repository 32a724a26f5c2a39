"""Inputs, parameters and injected values that compiled nodes are executed with."""

import pytest
from google.protobuf import text_format

from trainwright.compat.compiler.placeholder_expressions import ResolutionContext
from trainwright.compat.mlmd.connection_manager import MLMDConnectionManager
from trainwright.compat.orchestration import node_inputs
from trainwright.compat.orchestration.execution_environment import Environ, ExecutionContext
from trainwright.compat.orchestration.execution_info import ExecutionInfo
from trainwright.compat.orchestration.runtime_parameter_values import substitute_runtime_parameter
from trainwright.compat.utils.dependency_injection import InvalidTypeHintError
from trainwright.dsl.input_resolution import exceptions
from trainwright.proto.orchestration import pipeline_pb2
from trainwright.types.standard_artifacts import Integer, Model

PARAMETERS = """
parameters { key: "steps" value { field_value { int_value: 3 } } }
parameters { key: "name" value { runtime_parameter { name: "who" type: STRING } } }
parameters { key: "path" value { structural_runtime_parameter {
  parts { constant_value: "/root/" }
  parts { runtime_parameter {
    name: "run" type: STRING default_value { string_value: "first" }
  } }
} } }
"""


def _parameters(text: str = PARAMETERS) -> pipeline_pb2.NodeParameters:
    return text_format.Parse(text, pipeline_pb2.NodeParameters())


def test_inputs_that_cannot_be_found_name_the_node():
    node = pipeline_pb2.PipelineNode()
    node.node_info.id = "Trainer"
    node.inputs.inputs["examples"].min_count = 1
    node.inputs.inputs["examples"].channels.add().artifact_query.type.name = "Examples"
    with MLMDConnectionManager.fake() as manager:
        with pytest.raises(exceptions.InputResolutionError, match="inputs for Trainer"):
            node_inputs.resolve_input_artifacts(pipeline_node=node, metadata_handle=manager)
        node.inputs.Clear()
        found = node_inputs.resolve_input_artifacts(pipeline_node=node, metadata_handle=manager)
    assert found == node_inputs.Trigger([{}])
    assert node_inputs.Skip() == ()


def test_runtime_parameters_take_their_values_from_the_run_or_their_default():
    parameters = _parameters()
    with pytest.raises(RuntimeError, match="Parameter value not ready for "):
        node_inputs.resolve_parameters(parameters)
    assert substitute_runtime_parameter(parameters, {}) == {"who": None, "run": "first"}
    assert substitute_runtime_parameter(parameters, {"who": "me"}) == {"who": "me"}
    values = {"steps": 3, "name": "me", "path": "/root/first"}
    assert node_inputs.resolve_parameters(parameters) == values
    assert node_inputs.resolve_parameters_with_schema(parameters).keys() == values.keys()


def test_a_runtime_parameter_of_another_type_is_refused():
    with pytest.raises(RuntimeError, match="does not match with"):
        substitute_runtime_parameter(_parameters(), {"who": 3})


def test_dynamic_parameters_are_computed_from_inputs(tmp_path):
    parameters = _parameters("""
      parameters { key: "steps" value { placeholder { operator { artifact_value_op {
        expression { operator { index_op { expression {
          placeholder { type: INPUT_ARTIFACT key: "count" }
        } index: 0 } } } } } } } }
    """)
    count = Integer()
    count.uri = str(tmp_path / "value")
    count.write(5)
    info = ExecutionInfo(input_dict={"count": [count]})
    context = ResolutionContext(exec_info=info)
    assert node_inputs.resolve_dynamic_parameters(parameters, context) == {"steps": 5}
    with pytest.raises(exceptions.InvalidArgument, match="Key: steps"):
        node_inputs.resolve_dynamic_parameters(
            parameters, ResolutionContext(exec_info=ExecutionInfo())
        )


def test_a_component_asks_for_what_it_has_by_name_and_type(tmp_path):
    count = Integer()
    count.uri = str(tmp_path / "value")
    count.write(5)
    model = Model()
    environ = Environ(
        execution_info=ExecutionInfo(
            execution_id=7,
            input_dict={"count": [count], "none": []},
            output_dict={"model": [model]},
            exec_properties={"steps": 3},
        )
    )
    assert environ.strict_get("count", int) == 5
    assert environ.strict_get("model", Model) is model
    assert environ.strict_get("model", list[Model]) == [model]
    assert environ.strict_get("none", Model | None) is None
    assert environ.strict_get("anything", ExecutionContext).execution_id == 7
    with pytest.raises(InvalidTypeHintError, match="is not compatible"):
        environ.strict_get("steps", str)
    with pytest.raises(InvalidTypeHintError, match="but got 0 artifacts"):
        environ.strict_get("none", Model)
