"""Pipelines as TFX's messages."""

from __future__ import annotations

import pytest
from google.protobuf import any_pb2

from trainwright import Cond, InputArtifact, OutputDict, Parameter, Pipeline, component
from trainwright.compat.compiler.compiler import Compiler
from trainwright.compat.for_each import ForEach
from trainwright.compat.orchestration import node_views
from trainwright.dsl.node_options import NodeExecutionOptions, TriggerStrategy
from trainwright.dsl.pipeline import ExecutionMode, PipelineInputs
from trainwright.orchestration.pipeline_check import check_nodes
from trainwright.proto.orchestration import pipeline_pb2
from trainwright.types.placeholders.runtime_placeholders import runtime_info
from trainwright.types.runtime_parameter import RuntimeParameter
from trainwright.types.standard_artifacts import Integer


@component
def measure(factor: Parameter[int] = 1) -> OutputDict(score=float, count=int):
    return {"score": 0.5, "count": factor}


@component
def act(steps: Parameter[int] = 1):
    pass


@component
def count(numbers: InputArtifact[Integer]) -> OutputDict(total=int):
    return {"total": 1}


def compiled(*nodes, **arguments):
    return Compiler().compile(Pipeline("p", "root", components=nodes, **arguments))


def nodes_of(message):
    return {each.pipeline_node.node_info.id: each.pipeline_node for each in message.nodes}


def test_a_node_reads_what_another_one_of_the_same_run_has_made():
    first = measure()
    second = count(numbers=first.outputs["count"])
    message = compiled(first, second, enable_cache=True)
    assert message.pipeline_info.id == "p"
    assert message.runtime_spec.pipeline_root.runtime_parameter.default_value.string_value == "root"
    made, reading = nodes_of(message)["measure"], nodes_of(message)["count"]
    assert made.downstream_nodes == ["count"]
    assert reading.upstream_nodes == ["measure"]
    assert made.parameters.parameters["factor"].field_value.int_value == 1
    assert made.execution_options.caching_options.enable_cache
    (query,) = reading.inputs.inputs["numbers"].channels
    assert query.producer_node_query.id == "measure"
    assert query.output_key == "count"
    assert query.artifact_query.type.name == "Integer"
    names = [context.type.name for context in query.context_queries]
    assert names == ["pipeline", "pipeline_run", "node"]
    assert query.context_queries[2].name.field_value.string_value == "p.measure"
    assert reading.inputs.inputs["numbers"].min_count == 1


def test_conditions_and_placeholders_have_inputs_of_their_own():
    first = measure()
    with Cond(first.outputs["score"].future()[0].value > 0.1):
        second = act(steps=first.outputs["count"].future()[0].value)
    node = nodes_of(compiled(first, second))["act"]
    assert set(node.inputs.inputs) == {"_measure.score", "_measure.count"}
    condition = node.inputs.conditionals["cond_1"].placeholder_expression.operator.compare_op
    assert condition.rhs.value.double_value == 0.1
    value = node.parameters.parameters["steps"].placeholder.operator.artifact_value_op
    assert value.expression.operator.index_op.expression.placeholder.key == "_measure.count"


def test_runtime_parameters_keep_their_default():
    message = compiled(measure(factor=RuntimeParameter("factor", int, 7)))
    parameter = nodes_of(message)["measure"].parameters.parameters["factor"].runtime_parameter
    assert (parameter.name, parameter.default_value.int_value) == ("factor", 7)


def test_an_executor_goes_by_the_path_of_its_class():
    config = pipeline_pb2.IntermediateDeploymentConfig()
    packed: any_pb2.Any = compiled(measure()).deployment_config
    assert packed.Unpack(config)
    assert list(config.executor_specs) == ["measure"]
    assert not config.custom_driver_specs


def test_a_pipeline_within_a_pipeline_begins_and_ends_with_nodes_of_its_own():
    first = measure()
    inputs = PipelineInputs({"numbers": first.outputs["count"]})
    inner_node = count(numbers=inputs["numbers"])
    inner = Pipeline(
        "inner",
        components=[inner_node],
        inputs=inputs,
        outputs={"total": inner_node.outputs["total"]},
    )
    last = count(numbers=inner.outputs["total"]).with_id("last")
    message = compiled(first, inner, last)
    within = message.nodes[1].sub_pipeline
    assert list(within.pipeline_info.parent_ids) == ["p"]
    ids = [each.pipeline_node.node_info.id for each in within.nodes]
    assert ids == ["inner_begin", "count", "inner_end"]
    assert list(within.nodes[1].pipeline_node.upstream_nodes) == ["inner_begin"]
    (query,) = message.nodes[2].pipeline_node.inputs.inputs["numbers"].channels
    assert query.producer_node_query.id == "inner_end"
    root = within.runtime_spec.pipeline_root.runtime_parameter.default_value.string_value
    assert root == "root", "an inner pipeline has the root of the one around it"

    view = node_views.get_view_for_all_in(message)[1]
    assert view.node_info.id == "inner"
    assert list(view.upstream_nodes) == ["measure"]
    assert list(view.downstream_nodes) == ["last"]
    assert view.HasField("inputs")


def test_a_root_that_the_platform_knows():
    root = runtime_info("platform_config").base_dir
    message = Compiler().compile(Pipeline("p", root, components=[measure()]))
    path = message.runtime_spec.pipeline_root.placeholder.operator.proto_op.proto_field_path
    assert list(path) == [".base_dir"]


def test_a_loop_compiles_and_is_refused_before_a_run():
    first = measure()
    with ForEach(first.outputs["count"]) as number:
        each = count(numbers=number)
    node = nodes_of(compiled(first, each))["count"]
    reference = node.inputs.inputs["numbers"].input_graph_ref
    assert node.inputs.input_graphs[reference.graph_id].result_node
    with pytest.raises(ValueError, match="is the variable of a ForEach"):
        check_nodes([each], {}, ())


def test_a_loop_has_one_node():
    first = measure()
    block = ForEach(first.outputs["count"])
    number = block.__enter__()
    count(numbers=number)
    count(numbers=number).with_id("another")
    with pytest.raises(NotImplementedError, match="more than one component within ForEach"):
        block.__exit__(None, None, None)


def test_what_an_async_pipeline_cannot_have():
    first = measure()
    second = act()
    second.add_upstream_node(first)
    with pytest.raises(ValueError, match="Task dependency is not supported in ASYNC mode"):
        compiled(first, second, execution_mode=ExecutionMode.ASYNC)


def test_a_needed_input_from_a_node_that_may_fail():
    first = measure().with_node_execution_options(NodeExecutionOptions(success_optional=True))
    second = count(numbers=first.outputs["count"])
    with pytest.raises(ValueError, match=r"Node\(measure\) is set to success_optional = True"):
        compiled(first, second)


def test_options_of_nodes():
    options = NodeExecutionOptions(
        trigger_strategy=TriggerStrategy.ALL_UPSTREAM_NODES_COMPLETED, max_execution_retries=-1
    )
    node = nodes_of(compiled(act().with_node_execution_options(options)))["act"]
    assert node.execution_options.strategy == 2
    assert node.execution_options.max_execution_retries == 0
