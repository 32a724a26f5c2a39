"""Pipeline: a graph that cannot run is refused when it is declared."""

import itertools
import os
from pathlib import Path

import pytest

from trainwright import (
    Importer,
    LocalDagRunner,
    OutputDict,
    Parameter,
    Pipeline,
    RuntimeParameter,
    component,
)
from trainwright.dsl.base_executor import EmptyExecutor
from trainwright.dsl.executor_spec import BeamExecutorSpec
from trainwright.dsl.node_options import NodeExecutionOptions
from trainwright.dsl.pipeline import ExecutionMode, PipelineInputs
from trainwright.orchestration.pipeline_check import check_nodes, check_pipeline
from trainwright.types import standard_artifacts


@component
def start(value: Parameter[int] = 1) -> OutputDict(out=int):
    return {"out": value}


@component
def step(value: int) -> OutputDict(out=int):
    return {"out": value}


@component
def join(left: int, right: int) -> OutputDict(out=int):
    return {"out": left + right}


def diamond():
    """source -> left, right -> sink"""
    source = start().with_id("source")
    left = step(value=source.outputs["out"]).with_id("left")
    right = step(value=source.outputs["out"]).with_id("right")
    sink = join(left=left.outputs["out"], right=right.outputs["out"]).with_id("sink")
    return [source, left, right, sink]


def ids(pipeline):
    return [node.id for node in pipeline.components]


def test_nodes_come_after_what_they_depend_on_however_they_are_listed():
    for listed in itertools.permutations(diamond()):
        ordered = ids(Pipeline("diamond", components=listed))
        assert ordered[0] == "source"
        assert ordered[-1] == "sink"
        assert sorted(ordered) == ["left", "right", "sink", "source"]


def test_where_the_order_is_free_the_given_one_stays():
    nodes = [start().with_id(name) for name in ("c", "a", "b")]
    assert ids(Pipeline("free", components=nodes)) == ["c", "a", "b"]


def test_a_node_listed_twice_is_one_node():
    node = start()
    assert ids(Pipeline("once", components=[node, node])) == ["start"]


def test_a_node_can_wait_for_another_whose_outputs_it_does_not_read():
    first, second = start().with_id("first"), start().with_id("second")
    first.add_upstream_node(second)
    assert ids(Pipeline("waits", components=[first, second])) == ["second", "first"]
    assert list(first.upstream_nodes) == [second]


@pytest.mark.parametrize(
    "connect",
    [
        lambda first, second: first.add_upstream_nodes([second]),
        lambda first, second: second.add_downstream_node(first),
        lambda first, second: second.add_downstream_nodes([first]),
    ],
)
def test_the_other_ways_to_say_so(connect):
    first, second = start().with_id("first"), start().with_id("second")
    connect(first, second)
    assert ids(Pipeline("waits", components=[first, second])) == ["second", "first"]


def test_an_upstream_node_counts_once():
    source, left, *_ = diamond()
    left.add_upstream_node(source)
    assert left.upstream_nodes == {source}


def test_a_cycle_is_refused_and_shown():
    source, left, _, sink = nodes = diamond()
    source.add_upstream_node(sink)
    with pytest.raises(ValueError) as raised:
        Pipeline("cycle", components=nodes)
    message = str(raised.value)
    assert message.startswith("There is a cycle in the pipeline: ")
    shown = message.removesuffix(".").split(": ")[1].split(" -> ")
    assert shown[0] == shown[-1]
    assert set(shown) in ({"source", "left", "sink"}, {"source", "right", "sink"})


def test_a_node_that_waits_for_itself_is_a_cycle():
    node = start()
    node.add_upstream_node(node)
    with pytest.raises(ValueError, match="cycle in the pipeline: start -> start"):
        Pipeline("cycle", components=[node])


def test_two_nodes_of_one_id_are_refused_with_the_way_out():
    with pytest.raises(RuntimeError) as raised:
        Pipeline("twice", components=[start(), start()])
    message = str(raised.value)
    assert message.startswith("Duplicated component_id start for component type ")
    assert ".with_id(" in message


def test_what_is_upstream_is_found():
    source, left, right, sink = diamond()
    assert Pipeline("found", components=[sink]).components == [source, left, right, sink]
    assert Pipeline("found", components=[left]).components == [source, left]
    last = start().with_id("last")
    last.add_upstream_node(left)
    assert Pipeline("found", components=[last]).components == [source, left, last]


def test_a_duplicate_id_upstream_is_refused():
    upstream = start().with_id("same")
    with pytest.raises(RuntimeError, match="Duplicated component_id same"):
        Pipeline("twice", components=[step(value=upstream.outputs.out).with_id("same")])


def test_a_name_may_have_63_characters():
    assert Pipeline("x" * 63).pipeline_name == "x" * 63
    assert Pipeline("x").id == "x"


def test_a_longer_name_is_refused_in_tfx_s_words():
    name = "x" * 64
    with pytest.raises(ValueError) as raised:
        Pipeline(name)
    assert str(raised.value) == f"pipeline {name} exceeds maximum allowed length: 63."


@pytest.mark.parametrize("name", ["", None, 5])
def test_a_pipeline_needs_a_name(name):
    with pytest.raises(ValueError, match="A pipeline needs a name"):
        Pipeline(name)


@pytest.mark.parametrize("wrong", [start, "start", None, [start()], start().outputs["out"]])
def test_what_is_no_node_is_refused(wrong):
    with pytest.raises(TypeError, match="Pipeline 'wrong': components must be nodes, got"):
        Pipeline("wrong", components=[start(), wrong])


def test_the_root_must_be_text():
    with pytest.raises(TypeError, match="pipeline_root is 5: expected a string"):
        Pipeline("root", 5)


def test_only_sync_pipelines_can_run():
    with pytest.raises(ValueError, match=r"Only ExecutionMode\.SYNC"):
        Pipeline("async", execution_mode="ASYNC")


def test_the_runtime_parameters_of_all_nodes_and_of_the_root_are_found():
    root = RuntimeParameter("root", ptype=str)
    steps = RuntimeParameter("steps", ptype=int)
    nodes = [start(value=steps).with_id("a"), start(value=steps).with_id("b"), start()]
    found = Pipeline("parameters", root, components=nodes).runtime_parameters()
    assert found == {"root": root, "steps": steps}


@pytest.mark.parametrize("wrong", [None, 5, "", "..", "../evil", "a/b", "x" * 300, "a\nb"])
def test_an_id_that_cannot_be_a_directory_is_refused(wrong):
    with pytest.raises(ValueError, match=r"The node id .* A name becomes a directory"):
        start().with_id(wrong)


def test_an_id_that_is_the_name_of_a_class_is_looked_at_too():
    odd = type("a/b", (type(start()),), {})
    with pytest.raises(ValueError, match="The node id 'a/b' has a slash in it"):
        Pipeline("p", components=[odd()])


@pytest.mark.parametrize("wrong", ["..", "../evil", "a/b", "a\nb"])
def test_a_pipeline_s_name_that_cannot_be_a_directory_is_refused(wrong):
    with pytest.raises(ValueError, match=r"The pipeline name .* A name becomes a directory"):
        Pipeline(wrong)


def test_an_output_key_that_cannot_be_a_directory_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"The output key '\.system' begins with a dot"):
        Importer(str(tmp_path), standard_artifacts.Model, output_key=".system")


def test_the_id_is_the_class_name_until_another_is_given():
    node = start()
    assert node.id == node.component_id == "start"
    assert node.with_id("first") is node
    assert node.id == node.component_id == "first"


def test_environment_variables_are_text():
    node = start().with_environment(A="1", B="2").with_environment(B="3")
    assert node.environment == {"A": "1", "B": "3"}
    assert start().environment == {}
    with pytest.raises(TypeError, match="Environment variable N is 1: expected a string"):
        start().with_environment(N=1)


@component
def look(name: Parameter[str]) -> OutputDict(found=str):
    return {"found": os.environ.get(name, "nothing")}


def test_environment_variables_are_set_for_that_node_alone(tmp_path):
    nodes = [
        look(name="TRAINWRIGHT_TEST").with_id("with").with_environment(TRAINWRIGHT_TEST="seen"),
        look(name="TRAINWRIGHT_TEST").with_id("without"),
    ]
    result = LocalDagRunner().run(Pipeline("environment", str(tmp_path), components=nodes))
    found = {node: Path(made["found"][0].uri).read_text() for node, made in result.outputs.items()}
    assert found == {"with": "seen", "without": "nothing"}
    assert "TRAINWRIGHT_TEST" not in os.environ


def test_runtime_parameters_are_given_to_the_run(tmp_path):
    steps = RuntimeParameter("steps", ptype=int)
    pipeline = Pipeline("parameters", str(tmp_path), components=[start(value=steps)])
    with pytest.raises(ValueError, match="'steps' has no default and was given no value"):
        LocalDagRunner().run(pipeline)
    with pytest.raises(ValueError, match="no runtime parameter 'step'; did you mean 'steps'?"):
        LocalDagRunner().run(pipeline, runtime_parameters={"step": 5})
    result = LocalDagRunner().run(pipeline, runtime_parameters={"steps": "5"})
    assert Path(result.outputs["start"]["out"][0].uri).read_text() == "5"


def test_a_pipeline_is_a_node_and_says_what_it_takes_and_gives():
    outer = start().with_id("outer")
    inputs = PipelineInputs({"given": outer.outputs["out"]})
    inner_node = step(value=inputs["given"]).with_id("inner_node")
    inner = Pipeline(
        "inner", components=[inner_node], inputs=inputs, outputs={"made": inner_node.outputs["out"]}
    )
    last = step(value=inner.outputs["made"]).with_id("last")
    whole = Pipeline("whole", "root", components=[last, inner, outer])
    assert [node.id for node in whole.components] == ["outer", "inner", "last"]
    assert inner.inputs == {"given": outer.outputs["out"]}
    with pytest.raises(ValueError, match="'inner' is a pipeline within the pipeline, .* not run"):
        check_nodes(whole.components, {}, ())


def test_an_async_pipeline_can_be_declared_and_is_refused_before_a_run():
    pipeline = Pipeline("async", "root", execution_mode=ExecutionMode.ASYNC)
    with pytest.raises(ValueError, match=r"Only ExecutionMode\.SYNC"):
        check_pipeline(pipeline, {})


def test_flags_of_a_pipeline_stand_before_those_of_a_node_on_beam_once():
    node = start()
    node.executor_spec = BeamExecutorSpec(EmptyExecutor)
    node.with_beam_pipeline_args(["--b"])
    pipeline = Pipeline("flags", "root", components=[node], beam_pipeline_args=["--a"])
    pipeline.components = [node]
    assert node.executor_spec.beam_pipeline_args == ["--a", "--b"]
    pipeline.finalize()
    with pytest.raises(RuntimeError, match="Cannot mutate Pipeline after finalize"):
        pipeline.components = []


def test_options_that_a_run_cannot_honour_are_refused_before_it():
    node = start().with_node_execution_options(NodeExecutionOptions(success_optional=True))
    with pytest.raises(ValueError, match="start: success_optional=True cannot be honoured"):
        check_nodes([node], {}, ())
    node.node_execution_options = None
    check_nodes([node], {}, ())
