"""The Trainer's constructor: TFX's arguments, TFX's complaints, TFX's execution properties."""

import json

import pytest

from trainwright import Channel, RuntimeParameter
from trainwright.components import Trainer
from trainwright.dsl.base_executor import EmptyExecutor
from trainwright.dsl.executor_spec import ExecutorClassSpec
from trainwright.proto import trainer_pb2
from trainwright.proto.proto_json import json_to_proto
from trainwright.types import standard_artifacts, system_types

TYPES = {
    "examples": standard_artifacts.Examples,
    "transform_graph": standard_artifacts.TransformGraph,
    "schema": standard_artifacts.Schema,
    "base_model": standard_artifacts.Model,
    "hyperparameters": standard_artifacts.HyperParameters,
    "statistics": standard_artifacts.ExampleStatistics,
}


def channel(name):
    return Channel(type=TYPES[name])


def trainer(**arguments):
    return Trainer(**{"examples": channel("examples"), "module_file": "trainer.py", **arguments})


@pytest.mark.parametrize(
    "functions",
    [
        {},
        {"module_file": "trainer.py", "run_fn": "a.run_fn"},
        {"module_file": "trainer.py", "trainer_fn": "a.trainer_fn"},
        {"run_fn": "a.run_fn", "trainer_fn": "a.trainer_fn"},
        {"module_file": "trainer.py", "run_fn": "a.run_fn", "trainer_fn": "a.trainer_fn"},
    ],
)
def test_exactly_one_source_of_user_code(functions):
    with pytest.raises(ValueError) as raised:
        Trainer(examples=channel("examples"), **functions)
    assert str(raised.value) == (
        "Exactly one of 'module_file', 'trainer_fn', or 'run_fn' must be supplied."
    )


@pytest.mark.parametrize("names", [[], ["examples", "transformed_examples"]])
def test_exactly_one_kind_of_examples(names):
    examples = {name: channel("examples") for name in names}
    with pytest.raises(ValueError) as raised:
        Trainer(module_file="trainer.py", transform_graph=channel("transform_graph"), **examples)
    assert str(raised.value) == (
        "Exactly one of 'example' or 'transformed_example' must be supplied."
    )


def test_transformed_examples_need_the_graph():
    with pytest.raises(ValueError) as raised:
        Trainer(module_file="trainer.py", transformed_examples=channel("examples"))
    assert str(raised.value) == (
        "If 'transformed_examples' is supplied, 'transform_graph' must be supplied too."
    )


def test_transformed_examples_are_examples_with_a_warning():
    transformed, graph = channel("examples"), channel("transform_graph")
    with pytest.warns(DeprecationWarning, match="transformed_examples is deprecated") as warned:
        node = Trainer(
            module_file="trainer.py", transformed_examples=transformed, transform_graph=graph
        )
    assert warned[0].filename == __file__
    assert dict(node.inputs) == {"examples": transformed, "transform_graph": graph}


@pytest.mark.parametrize("name", TYPES)
def test_a_channel_of_the_wrong_type_is_refused(name):
    wrong = standard_artifacts.ModelBlessing
    with pytest.raises(TypeError) as raised:
        trainer(**{name: Channel(type=wrong)})
    assert str(raised.value) == (
        f"Argument {name} should be a Channel of type {TYPES[name]} (got {wrong})."
    )


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("train_args", 5, trainer_pb2.TrainArgs),
        ("train_args", trainer_pb2.EvalArgs(), trainer_pb2.TrainArgs),
        ("eval_args", 5, trainer_pb2.EvalArgs),
        ("module_file", 5, str),
    ],
)
def test_a_property_of_the_wrong_type_is_refused(name, value, expected):
    with pytest.raises(TypeError) as raised:
        trainer(**{name: value})
    assert str(raised.value) == (
        f"Expected type {expected} for parameter {name!r} but got {value!s} instead. "
        f"Its type is {type(value).__name__}."
    ).replace("trainwright.proto", "tfx.proto")


def test_a_run_fn_that_is_neither_path_nor_function_is_refused():
    with pytest.raises(TypeError, match="for parameter 'run_fn' but got 5"):
        Trainer(examples=channel("examples"), run_fn=5)


def test_a_misspelt_step_count_is_refused_instead_of_training_without_end():
    with pytest.raises(ValueError, match=r"TrainArgs has no field 'num_step'.*'num_steps'\?"):
        trainer(train_args={"num_step": 5})


def test_arguments_may_be_given_by_position_with_examples_first():
    given = [
        channel("examples"),
        None,
        channel("transform_graph"),
        channel("schema"),
        channel("base_model"),
        channel("hyperparameters"),
        "trainer.py",
        None,
        {"num_steps": 100},
        {"num_steps": 5},
        {"rate": 0.1},
    ]
    node = Trainer(*given)
    assert dict(node.inputs) == {
        "examples": given[0],
        "transform_graph": given[2],
        "schema": given[3],
        "base_model": given[4],
        "hyperparameters": given[5],
    }
    assert node.exec_properties["module_file"] == "trainer.py"
    assert json.loads(node.exec_properties["train_args"]) == {"num_steps": 100}
    assert json.loads(node.exec_properties["eval_args"]) == {"num_steps": 5}
    assert node.exec_properties["custom_config"] == '{"rate": 0.1}'


def test_statistics_and_trainer_fn_are_given_by_name_only():
    thirteen = [channel("examples"), *[None] * 11, channel("statistics")]
    with pytest.raises(TypeError, match="positional arguments"):
        Trainer(*thirteen)
    statistics = channel("statistics")
    assert trainer(statistics=statistics).inputs["statistics"] is statistics
    by_name = Trainer(channel("examples"), trainer_fn="a.b.trainer_fn")
    assert by_name.exec_properties["trainer_fn"] == "a.b.trainer_fn"


def test_run_fn_may_be_a_dotted_path_or_the_function_itself():
    def run_fn(fn_args):
        pass

    by_path = Trainer(examples=channel("examples"), run_fn="package.module.run_fn")
    assert by_path.exec_properties["run_fn"] == "package.module.run_fn"
    by_value = Trainer(examples=channel("examples"), run_fn=run_fn)
    assert by_value.exec_properties["run_fn"] is run_fn


def test_execution_properties_have_the_form_that_tfx_stores():
    node = trainer(train_args=trainer_pb2.TrainArgs(splits=["b", "a"], num_steps=100))
    properties = node.exec_properties
    assert json.loads(properties["train_args"]) == {"num_steps": 100, "splits": ["b", "a"]}
    assert properties["train_args"].index("num_steps") < properties["train_args"].index("splits")
    assert properties["eval_args"] == "{}"
    assert properties["module_file"] == "trainer.py"
    assert properties["run_fn"] is None
    assert properties["trainer_fn"] is None


@pytest.mark.parametrize("given", [{"num_steps": 7}, '{"num_steps": 7}', '{"numSteps": 7}'])
def test_args_may_be_a_dict_or_json(given):
    node = trainer(train_args=given, eval_args=given)
    train_args = json_to_proto(node.exec_properties["train_args"], trainer_pb2.TrainArgs())
    eval_args = json_to_proto(node.exec_properties["eval_args"], trainer_pb2.EvalArgs())
    assert (train_args.num_steps, eval_args.num_steps) == (7, 7)


@pytest.mark.parametrize(
    ("config", "stored"),
    [
        (None, "null"),
        ({}, "{}"),
        ({"b": [1, None], "a": {"d": 1, "c": 2}}, '{"a": {"c": 2, "d": 1}, "b": [1, null]}'),
    ],
)
def test_custom_config_is_stored_as_json_with_sorted_keys(config, stored):
    assert trainer(custom_config=config).exec_properties["custom_config"] == stored


def test_custom_config_must_be_json():
    with pytest.raises(TypeError) as raised:
        trainer(custom_config={"names": {"a", "b"}})
    # Python 3.12 and later add where in the object it was.
    assert "Object of type set is not JSON serializable" in str(raised.value)


def test_custom_config_must_be_a_dict():
    with pytest.raises(ValueError) as raised:
        trainer(custom_config=[1, 2])
    assert str(raised.value) == (
        "custom_config in execution properties needs to be a dict. Got <class 'list'> instead."
    )


@pytest.mark.parametrize("name", ["module_file", "train_args", "eval_args", "custom_config"])
def test_a_property_may_come_with_the_run(name):
    parameter = RuntimeParameter(name, ptype=str)
    assert trainer(**{name: parameter}).exec_properties[name] is parameter


def test_the_outputs_are_a_model_and_its_run():
    node = trainer()
    assert {key: output.type for key, output in node.outputs.items()} == {
        "model": standard_artifacts.Model,
        "model_run": standard_artifacts.ModelRun,
    }
    assert isinstance(node.outputs, dict)


def test_the_store_knows_it_by_tfx_s_name_and_base_type():
    node = trainer()
    assert node.id == "Trainer"
    assert node.type_name == "tfx.components.trainer.component.Trainer"
    assert Trainer.SPEC_CLASS.TYPE_ANNOTATION is system_types.Train


def test_a_custom_executor_works_with_a_warning():
    custom = ExecutorClassSpec(EmptyExecutor)
    with pytest.warns(DeprecationWarning, match="custom_executor_spec is deprecated") as warned:
        node = trainer(custom_executor_spec=custom)
    assert warned[0].filename == __file__
    assert node.executor_spec == custom
