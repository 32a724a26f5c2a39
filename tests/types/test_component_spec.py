"""ComponentSpec: a component's arguments are checked when it is constructed, in TFX's words."""

import json
from typing import Any

import pytest

from trainwright.proto import trainer_pb2
from trainwright.types.artifact import Artifact
from trainwright.types.channel import Channel
from trainwright.types.component_spec import ChannelParameter, ComponentSpec, ExecutionParameter
from trainwright.types.json_compat import JSON_HINT
from trainwright.types.runtime_parameter import RuntimeParameter
from trainwright.types.standard_artifacts import Examples, Integer, JsonValue, Schema


class CountSpec(ComponentSpec):
    PARAMETERS = {
        "limit": ExecutionParameter(type=int),
        "train_args": ExecutionParameter(type=trainer_pb2.TrainArgs, optional=True),
        "ratio": ExecutionParameter(type=float, optional=True),
        "names": ExecutionParameter(type=list[str], optional=True),
        "weights": ExecutionParameter(type=dict[str, float], optional=True),
        "label": ExecutionParameter(type=str | None, optional=True),
        "anything": ExecutionParameter(type=Any, optional=True),
    }
    INPUTS = {
        "examples": ChannelParameter(type=Examples),
        "schema": ChannelParameter(type=Schema, optional=True),
    }
    OUTPUTS = {"count": ChannelParameter(type=Integer)}


def count_spec(**arguments):
    return CountSpec(**{"limit": 3, "examples": Channel(type=Examples), **arguments})


def test_arguments_are_sorted_into_properties_and_inputs():
    examples = Channel(type=Examples)
    spec = CountSpec(limit=3, examples=examples)
    assert spec.exec_properties == {"limit": 3}
    assert spec.inputs == {"examples": examples}
    assert spec.outputs == {}


@pytest.mark.parametrize("missing", ["limit", "examples"])
def test_a_missing_argument_is_named_in_tfx_s_words(missing):
    arguments = {"limit": 3, "examples": Channel(type=Examples)}
    del arguments[missing]
    with pytest.raises(ValueError) as raised:
        CountSpec(**arguments)
    assert str(raised.value) == f"Missing argument {missing!r} to {CountSpec}."


def test_an_unknown_argument_gets_a_suggestion():
    with pytest.raises(ValueError) as raised:
        count_spec(limits=3)
    message = str(raised.value)
    assert message.startswith(f"Unknown argument 'limits' to {CountSpec}; did you mean 'limit'?")
    assert "'examples'" in message


def test_a_channel_of_the_wrong_type_is_refused_in_tfx_s_words():
    with pytest.raises(TypeError) as raised:
        count_spec(examples=Channel(type=Schema))
    assert str(raised.value) == (
        f"Argument examples should be a Channel of type {Examples} (got {Schema})."
    )


@pytest.mark.parametrize("wrong", ["/data/examples", [Examples()], 5])
def test_what_is_no_channel_is_refused_with_an_example(wrong):
    with pytest.raises(TypeError) as raised:
        count_spec(examples=wrong)
    message = str(raised.value)
    assert message.startswith(f"Argument examples should be a Channel of type {Examples} (got ")
    assert "some_node.outputs['examples']" in message


def test_a_type_of_the_same_name_fits():
    class TheirExamples(Artifact):
        TYPE_NAME = "Examples"

    channel = Channel(type=TheirExamples)
    assert count_spec(examples=channel).inputs["examples"] is channel


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("limit", "3"),
        ("limit", 3.0),
        ("ratio", "0.5"),
        ("ratio", False),
        ("names", "train"),
        ("names", ["train", 5]),
        ("weights", {"a": "b"}),
        ("weights", {1: 0.5}),
        ("weights", ["a"]),
        ("label", 5),
        ("train_args", 5),
        ("train_args", trainer_pb2.EvalArgs()),
    ],
)
def test_a_property_of_the_wrong_type_is_refused_in_tfx_s_words(name, value):
    expected = str(CountSpec.PARAMETERS[name].type).replace("trainwright.proto", "tfx.proto")
    with pytest.raises(TypeError) as raised:
        count_spec(**{name: value})
    assert str(raised.value) == (
        f"Expected type {expected} for parameter {name!r} but got {value} instead. Its type is "
        f"{type(value).__name__}."
    )


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("limit", True),
        ("ratio", 1),
        ("names", []),
        ("names", ["train"]),
        ("weights", {"a": 1}),
        ("label", "x"),
        ("anything", {1}),
    ],
)
def test_a_property_of_a_fitting_type_is_kept_as_it_is(name, value):
    assert count_spec(**{name: value}).exec_properties[name] == value


@pytest.mark.parametrize(
    "given",
    [
        trainer_pb2.TrainArgs(splits=["a"], num_steps=100),
        {"splits": ["a"], "num_steps": 100},
        {"numSteps": 100, "splits": ["a"]},
        '{"splits": ["a"], "num_steps": 100}',
    ],
)
def test_a_proto_may_be_given_as_a_proto_a_dict_or_json(given):
    stored = count_spec(train_args=given).exec_properties["train_args"]
    assert json.loads(stored) == {"num_steps": 100, "splits": ["a"]}


@pytest.mark.parametrize("given", [{"num_step": 100}, '{"num_step": 100}'])
def test_an_unknown_key_of_a_proto_is_refused_with_the_nearest_name(given):
    with pytest.raises(ValueError, match=r"no field 'num_step'\. Did you mean 'num_steps'\?"):
        count_spec(train_args=given)


def test_text_that_is_no_json_is_refused():
    with pytest.raises(ValueError, match="TrainArgs cannot be read from 'num_steps: 100'"):
        count_spec(train_args="num_steps: 100")


def test_use_proto_hands_on_the_proto_itself():
    parameter = ExecutionParameter(type=trainer_pb2.TrainArgs, use_proto=True)
    assert parameter.convert("x", {"num_steps": 5}) == trainer_pb2.TrainArgs(num_steps=5)


@pytest.mark.parametrize("name", ["limit", "train_args", "names"])
def test_any_property_may_be_a_runtime_parameter(name):
    parameter = RuntimeParameter("later")
    assert count_spec(**{name: parameter}).exec_properties[name] is parameter


def test_an_optional_property_given_as_none_is_none():
    spec = count_spec(label=None)
    assert spec.exec_properties["label"] is None
    assert "ratio" not in spec.exec_properties


TABLES = {"PARAMETERS": {}, "INPUTS": {}, "OUTPUTS": {}}


def spec_class(**tables):
    return type("SomeSpec", (ComponentSpec,), tables)


@pytest.mark.parametrize("table", TABLES)
def test_a_spec_class_has_all_three_tables(table):
    others = {name: value for name, value in TABLES.items() if name != table}
    with pytest.raises(TypeError, match=f"does not have {table}"):
        spec_class(**others)
    with pytest.raises(TypeError, match=f"{table} should be a dict but got 5"):
        spec_class(**others, **{table: 5})


@pytest.mark.parametrize(
    ("tables", "message"),
    [
        ({"PARAMETERS": {"x": ChannelParameter(type=Schema)}}, "expects values of type Execution"),
        ({"INPUTS": {"x": ExecutionParameter(type=int)}}, "expect values of type ChannelParameter"),
        ({"OUTPUTS": {"x": int}}, "expect values of type ChannelParameter"),
        (
            {"OUTPUTS": {"x": ChannelParameter(type=Schema, optional=True, allow_empty=True)}},
            "output channel x did",
        ),
    ],
)
def test_what_is_in_the_tables_is_checked_when_the_class_is_made(tables, message):
    with pytest.raises(TypeError, match=message):
        spec_class(**{**TABLES, **tables})


def test_a_name_is_in_one_table_only():
    twice = {
        "PARAMETERS": {"x": ExecutionParameter(int)},
        "INPUTS": {"x": ChannelParameter(Schema)},
    }
    with pytest.raises(ValueError, match="duplicate argument with name x"):
        spec_class(**{**TABLES, **twice})


def test_an_abstract_spec_is_not_checked():
    class Base(ComponentSpec, validate=False):
        INPUTS = {}

    with pytest.raises(TypeError, match="does not have PARAMETERS"):
        type("Whole", (Base,), {})


def test_a_spec_says_what_is_optional():
    assert CountSpec.is_optional_input("schema")
    assert not CountSpec.is_optional_input("examples")
    assert CountSpec.is_allow_empty_input("schema")
    assert not CountSpec.is_optional_output("count")
    assert CountSpec.is_optional_exec_property("ratio")
    with pytest.raises(KeyError, match="has no 'other'"):
        CountSpec.is_optional_input("other")


def test_allow_empty_is_for_optional_inputs():
    assert not ChannelParameter(type=Schema, optional=True, allow_empty=False).allow_empty
    with pytest.raises(ValueError, match="only be explicitly set if optional"):
        ChannelParameter(type=Schema, allow_empty=True)


def test_use_proto_is_not_for_numbers_and_strings():
    with pytest.raises(ValueError, match="use_proto set for primitive type"):
        ExecutionParameter(type=int, use_proto=True)


@pytest.mark.parametrize(
    ("kind", "fits", "wrong"),
    [
        (int, 8, "8"),
        (list[int], [1], [1, "2"]),
        (dict[str, int], {"a": 1}, {"a": "1"}),
        ((str, int), 5, 5.5),
        (trainer_pb2.TrainArgs, {"num_steps": 5, "unknown": 1}, 5),
        (trainer_pb2.TrainArgs, {"num_steps": RuntimeParameter("steps", int)}, ["a"]),
    ],
)
def test_type_check_is_tfx_s(kind, fits, wrong):
    parameter = ExecutionParameter(type=kind)
    parameter.type_check("x", fits)
    with pytest.raises(TypeError, match="for parameter 'x' but got"):
        parameter.type_check("x", wrong)


def test_a_type_may_name_others_that_fit():
    class Wide(Artifact):
        TYPE_NAME = "Wide"
        _compatible_types = {Schema}

    ChannelParameter(type=Wide).type_check("x", Channel(type=Schema))
    with pytest.raises(TypeError, match="should be a Channel of type"):
        ChannelParameter(type=Wide).type_check("x", Channel(type=Examples))


def test_json_values_of_another_type_are_refused():
    parameter, channel = ChannelParameter(type=JsonValue), Channel(type=JsonValue)
    setattr(parameter, JSON_HINT, dict[str, int])
    parameter.type_check("x", channel)  # nothing is known of it
    setattr(channel, JSON_HINT, dict[str, int])
    parameter.type_check("x", channel)
    setattr(channel, JSON_HINT, list[int])
    with pytest.raises(TypeError, match=r"should be a Channel of type dict\[str, int\] \(got list"):
        parameter.type_check("x", channel)


def test_a_spec_is_written_as_its_three_parts():
    spec = count_spec()
    assert spec.to_json_dict() == {
        "inputs": spec.inputs,
        "outputs": {},
        "exec_properties": {"limit": 3},
    }


def test_given_outputs_become_those_of_the_node():
    class Node:
        id = "Counter"

    spec = count_spec(count=Channel(type=Integer))
    spec.migrate_output_channels(Node())
    assert spec.outputs["count"].path == "Counter.outputs['count']"


def test_a_spec_of_a_script_reaches_another_process(run_script):
    """cloudpickle makes the class empty and fills it afterwards."""
    finished = run_script(
        """
        import subprocess
        import sys

        import cloudpickle

        from trainwright.types.component_spec import ComponentSpec, ExecutionParameter

        class MySpec(ComponentSpec):
            PARAMETERS = {"steps": ExecutionParameter(type=int)}
            INPUTS = {}
            OUTPUTS = {}

        load = "import pickle, sys; print(list(pickle.load(sys.stdin.buffer).PARAMETERS))"
        subprocess.run([sys.executable, "-c", load], input=cloudpickle.dumps(MySpec), check=True)
        """
    )
    assert finished.stdout == "['steps']\n"
