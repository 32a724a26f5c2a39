"""Execution properties whose values other nodes have made."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from store_audit import audit

from trainwright import (
    Cond,
    LocalDagRunner,
    OutputDict,
    Parameter,
    Pipeline,
    PipelineRunError,
    component,
    open_store,
)
from trainwright.components import Pusher, Trainer
from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.base_driver import BaseDriver
from trainwright.dsl.base_executor import BaseExecutor
from trainwright.dsl.executor_spec import ExecutorClassSpec
from trainwright.dsl.pipeline import ROOT_PARAMETER
from trainwright.proto import TrainArgs
from trainwright.types.channel import Channel
from trainwright.types.component_spec import ChannelParameter, ComponentSpec, ExecutionParameter
from trainwright.types.placeholders import artifact_placeholder
from trainwright.types.placeholders.runtime_placeholders import environment_variable, exec_property
from trainwright.types.standard_artifacts import Examples, Model, String


@component
def plan(number: Parameter[int], seed: Parameter[int] = 0) -> OutputDict(
    steps=int, name=str | None, table=dict, args=str
):
    return {
        "steps": number,
        "name": "ada" if number > 1 else None,
        "table": {"steps": [number], "name": "eve"},
        "args": f'{{"num_steps": {number}}}',
    }


@component
def work(
    steps: Parameter[int], name: Parameter[str] = "nobody", path: Parameter[str] = ""
) -> OutputDict(did=str):
    return {"did": f"{steps} {name} {path}"}


def run(root: Path, *nodes):
    pipeline = Pipeline("p", str(root), components=nodes, enable_cache=True)
    try:
        return LocalDagRunner(observer=lambda event: None).run(pipeline)
    finally:
        if (root / "metadata.db").exists():
            assert audit(root) == []


def states(result) -> dict[str, str]:
    return {node: state.value for node, state in result.states.items()}


def did(result, node="work") -> str:
    return Path(result.outputs[node]["did"][0].uri).read_text()


def planned(steps, seed=0):
    planner = plan(number=steps, seed=seed)
    future = {key: channel.future()[0] for key, channel in planner.outputs.items()}
    worker = work(
        steps=future["steps"].value,
        name="Dr. " + future["table"].value["name"],
        path=future["steps"].uri,
    )
    return planner, worker


def test_the_executor_gets_the_values(tmp_path):
    result = run(tmp_path, *planned(3))
    uri = result.outputs["plan"]["steps"][0].uri
    assert did(result) == f"3 Dr. eve {uri}"
    with open_store(str(tmp_path / "metadata.db")) as store:
        (execution,) = [one for one in store.get_executions() if "path" in one.custom_properties]
        keys = {event.key for event in store.get_events(execution_ids=[execution.id])}
    assert execution.custom_properties["steps"] == 3
    assert keys == {"_plan.steps", "_plan.table", "did"}


def test_the_value_counts_for_the_cache_and_not_who_made_it(tmp_path):
    def nodes(steps, seed=0):
        planner = plan(number=steps, seed=seed)
        return planner, work(steps=planner.outputs["steps"].future()[0].value)

    run(tmp_path, *nodes(3))
    same_value = run(tmp_path, *nodes(3, seed=1))
    assert states(same_value) == {"plan": "complete", "work": "cached"}
    other_value = run(tmp_path, *nodes(4))
    assert states(other_value) == {"plan": "complete", "work": "complete"}
    assert did(other_value).startswith("4 ")
    pipeline = Pipeline("p", str(tmp_path), components=nodes(5), enable_cache=True)
    forecast = LocalDagRunner().explain(pipeline)[1]
    assert (forecast.will_run, forecast.reason) == (True, "new outputs of plan")


def test_a_null_is_no_value_for_a_parameter_that_needs_one(tmp_path):
    @component
    def needy(name: Parameter[str]) -> OutputDict(did=str):
        return {"did": name}

    planner = plan(number=1)
    name = planner.outputs["name"].future()[0].value
    optional = work(steps=1, name=name)
    with pytest.raises(PipelineRunError) as raised:
        run(tmp_path, planner, needy(name=name), optional)
    (failure,) = raised.value.result.failures
    assert failure.message == (
        "needy: property 'name' needs a value, and plan.outputs['name'][0].value is not set."
    )
    assert did(raised.value.result) == "1 None "


def test_a_value_of_the_wrong_type(tmp_path):
    planner = plan(number=1)
    table = planner.outputs["table"].future()[0].value
    wrong, missing = work(steps=table["name"]), work(steps=table["none"]).with_id("missing")
    with pytest.raises(PipelineRunError) as raised:
        run(tmp_path, planner, wrong, missing)
    messages = {one.node_id: one.message for one in raised.value.result.failures}
    assert messages["work"] == (
        "work: property 'steps' is plan.outputs['table'][0].value['name'], which does not fit: "
        "Expected type <class 'int'> for parameter 'steps' but got eve instead. Its type is str."
    )
    assert messages["missing"].startswith(
        "missing: property 'steps' has no value: plan.outputs['table'][0].value['none'] is not "
        "there: the keys of plan.outputs['table'][0].value are name, steps."
    )


def test_a_property_of_a_skipped_node(tmp_path):
    first = plan(number=1)
    with Cond(first.outputs["steps"].future()[0].value > 1):
        second = plan(number=2).with_id("second")
    worker = work(steps=second.outputs["steps"].future()[0].value)
    result = run(tmp_path, first, second, worker)
    assert result.skipped["work"] == (
        "its property steps is second.outputs['steps'][0].value, and second was skipped"
    )


class ArgsSpec(ComponentSpec):
    PARAMETERS = {"args": ExecutionParameter(type=TrainArgs)}
    INPUTS = {}
    OUTPUTS = {"did": ChannelParameter(type=String)}


class ArgsExecutor(BaseExecutor):
    def Do(self, input_dict, output_dict, exec_properties):
        output_dict["did"][0].write(exec_properties["args"])


class ArgsDriver(BaseDriver):
    def check(self, component, exec_properties):
        if '"num_steps": 2' in exec_properties["args"]:
            raise ValueError("two steps are not enough")


class Args(BaseComponent):
    SPEC_CLASS = ArgsSpec
    EXECUTOR_SPEC = ExecutorClassSpec(ArgsExecutor)
    DRIVER_CLASS = ArgsDriver

    def __init__(self, args):
        super().__init__(spec=ArgsSpec(args=args))


def test_a_spec_takes_a_proto_as_text_and_its_driver_checks_it_then(tmp_path):
    planner = plan(number=3)
    result = run(tmp_path, planner, Args(planner.outputs["args"].future()[0].value))
    assert json.loads(did(result, "Args")) == {"num_steps": 3}
    planner = plan(number=2)
    with pytest.raises(PipelineRunError, match="two steps are not enough"):
        run(tmp_path, planner, Args(planner.outputs["args"].future()[0].value))
    with pytest.raises(TypeError, match="'args' but got .*, which is of type int"):
        Args(planner.outputs["steps"].future()[0].value)


def test_the_components_of_tfx_take_placeholders_for_whole_properties(tmp_path):
    future = plan(number=1).outputs["args"].future()[0]
    examples = Channel(type=Examples)
    trainer = Trainer(examples=examples, module_file="m.py", train_args=future.value)
    assert list(trainer.placeholders) == ["train_args"]
    pusher = Pusher(model=Channel(type=Model), push_destination=future.value)
    assert list(pusher.hidden_inputs) == ["_plan.args"]
    with pytest.raises(TypeError, match="cannot be part of a dict that is written as JSON"):
        Trainer(examples=examples, module_file="m.py", custom_config={"args": future.value})


@component
def read(text: str, path: Parameter[str] = "", user: Parameter[str] = "") -> OutputDict(did=str):
    return {"did": f"{text}|{path}|{user}"}


def test_a_property_may_ask_for_the_node_s_own_inputs_the_environment_and_the_root(
    tmp_path, monkeypatch
):
    monkeypatch.setenv("WHO", "ada")
    planner = plan(number=3)
    reader = read(
        text=planner.outputs["args"],
        path=artifact_placeholder.input("text").uri,
        user=environment_variable("WHO") + "@here",
    )
    rooted = work(steps=1, path=f"{ROOT_PARAMETER}/serving").with_id("rooted")
    result = run(tmp_path, planner, reader, rooted)
    uri = result.outputs["plan"]["args"][0].uri
    assert did(result, "read") == f'{{"num_steps": 3}}|{uri}|ada@here'
    assert did(result, "rooted") == f"1 nobody {tmp_path}/serving"


@pytest.mark.parametrize(
    ("path", "message"),
    [
        (
            exec_property("user"),
            r"exec_property\('user'\) is not known before the node is executed",
        ),
        (artifact_placeholder.output("did").uri, "output.* is not known before the node is exec"),
        (artifact_placeholder.input("txt").uri, "has no input 'txt'; did you mean 'text'"),
    ],
)
def test_what_a_property_cannot_know_is_refused_before_the_run(tmp_path, path, message):
    planner = plan(number=3)
    with pytest.raises(ValueError, match=message):
        run(tmp_path, planner, read(text=planner.outputs["args"], path=path))
    assert not (tmp_path / "metadata.db").exists()
