"""Executor specs: names of executors, their messages, copies and JSON."""

import pytest

from trainwright.components import StatisticsGen
from trainwright.dsl.base_executor import EmptyExecutor
from trainwright.dsl.containers.command_placeholders import (
    ConcatPlaceholder,
    InputUriPlaceholder,
    InputValuePlaceholder,
    OutputUriPlaceholder,
)
from trainwright.dsl.containers.container_spec import (
    ExecutorContainerSpec,
    TemplatedExecutorContainerSpec,
)
from trainwright.dsl.containers.templates import parse_template
from trainwright.dsl.executor_spec import BeamExecutorSpec, ExecutorClassSpec, ExecutorSpec
from trainwright.types import json_utils
from trainwright.types.component_spec import ChannelParameter, ComponentSpec, ExecutionParameter
from trainwright.types.placeholders.runtime_placeholders import environment_variable
from trainwright.types.standard_artifacts import Examples, Model


class TrainSpec(ComponentSpec):
    PARAMETERS = {"steps": ExecutionParameter(type=int)}
    INPUTS = {"examples": ChannelParameter(type=Examples)}
    OUTPUTS = {"model": ChannelParameter(type=Model)}


def test_an_executor_class_is_encoded_by_its_path():
    spec = ExecutorClassSpec(EmptyExecutor)
    spec.add_extra_flags(["--fast"])
    message = spec.copy().encode()
    assert message.class_path == "trainwright.dsl.base_executor.EmptyExecutor"
    assert list(message.extra_flags) == ["--fast"]


def test_executors_of_standard_components_have_tfx_names():
    path = StatisticsGen.EXECUTOR_SPEC.class_path
    assert path == "tfx.components.statistics_gen.executor.Executor"


def test_beam_flags_are_encoded_as_text_and_placeholders():
    spec = BeamExecutorSpec(EmptyExecutor)
    spec.add_beam_pipeline_args(["--a=1", "--b=" + environment_variable("B")])
    message = spec.encode()
    assert list(message.beam_pipeline_args) == ["--a=1"]
    assert len(message.beam_pipeline_args_placeholders) == 2
    assert message.beam_pipeline_args_placeholders[0].value.string_value == "--a=1"
    spec.add_beam_pipeline_args([5])
    with pytest.raises(ValueError, match="Unsupported arg type"):
        spec.encode()


def test_a_spec_that_cannot_be_encoded_says_so():
    class Own(ExecutorSpec):
        pass

    with pytest.raises(NotImplementedError, match=r"Own does not support encoding into IR"):
        Own().encode()


def test_specs_go_through_json():
    spec = BeamExecutorSpec(EmptyExecutor)
    spec.add_beam_pipeline_args(["--a=1"])
    assert json_utils.loads(json_utils.dumps(spec)) == spec


def test_a_containers_command_is_encoded_with_its_placeholders():
    spec = TemplatedExecutorContainerSpec(
        image="tools:1",
        command=["train", InputValuePlaceholder("steps"), InputUriPlaceholder("examples")],
        args=[ConcatPlaceholder(["--out=", OutputUriPlaceholder("model")])],
    )
    message = spec.encode(TrainSpec)
    assert message.image == "tools:1"
    assert message.commands[0].value.string_value == "train"
    assert message.commands[1].placeholder.key == "steps"
    assert message.commands[2].operator.HasField("artifact_uri_op")
    assert len(message.args[0].operator.concat_op.expressions) == 2
    assert spec == spec.copy()
    with pytest.raises(ValueError, match="Requires component spec to encode InputValuePlaceholder"):
        spec.encode()


def test_a_command_of_plain_text_needs_no_component_spec():
    spec = TemplatedExecutorContainerSpec("i", [ConcatPlaceholder(["a", ConcatPlaceholder(["b"])])])
    assert spec.encode().commands[0].value.string_value == "ab"


def test_a_container_needs_an_image():
    with pytest.raises(ValueError, match="image cannot be None or empty"):
        ExecutorContainerSpec(image="")


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("plain", "plain"),
        ('{{ input_dict["a"][0].uri }}', "input('a')[0].uri"),
        ("{{input_dict['a'][1].value}}", "input('a')[1].value"),
        ('x{{ output_dict["a"][0].uri }}/y', "'x' + output('a')[0].uri + '/y'"),
        ("{{ exec_properties.steps }}", "exec_property('steps')"),
        ('{{ exec_properties["steps"] }}', "exec_property('steps')"),
    ],
)
def test_templates_become_placeholders(text, means):
    assert str(parse_template(text)) == means


@pytest.mark.parametrize(
    "text",
    ["{{ 1 + 1 }}", "{{ steps }}", "{% if x %}", "{{ input_dict['a'][0].id }}", "{{ input_dict }}"],
)
def test_other_templates_are_refused(text):
    with pytest.raises(ValueError, match="in a container's command is not understood"):
        parse_template(text)
