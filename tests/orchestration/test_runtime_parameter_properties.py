"""Runtime parameters wherever components take them: what a run makes of them before it starts."""

from __future__ import annotations

import json

import pytest

from trainwright.components import (
    CsvExampleGen,
    Evaluator,
    ImportSchemaGen,
    Pusher,
    SchemaGen,
    StatisticsGen,
    Trainer,
    Transform,
)
from trainwright.dsl.pipeline import Pipeline
from trainwright.orchestration.pipeline_check import check_pipeline
from trainwright.orchestration.planning.node_resolution import resolve_runtime_parameters
from trainwright.types import standard_artifacts
from trainwright.types.channel import Channel
from trainwright.types.component_spec import ComponentSpec, ExecutionParameter
from trainwright.types.runtime_parameter import RuntimeParameter

PATH = RuntimeParameter("path", ptype=str)
STEPS = RuntimeParameter("steps", ptype=int)
SPLIT = RuntimeParameter("split", ptype=str)
RATE = RuntimeParameter("rate", ptype=float)
# As a command line gives them: all are text.
GIVEN = {"path": "a/b", "steps": "7", "split": "train", "rate": "0.5"}

EXAMPLES = Channel(type=standard_artifacts.Examples)
MODEL = Channel(type=standard_artifacts.Model)
SCHEMA = Channel(type=standard_artifacts.Schema)
STATISTICS = Channel(type=standard_artifacts.ExampleStatistics)


def trainer(**arguments):
    arguments = {"train_args": {"num_steps": 1}, "module_file": "m.py", **arguments}
    return Trainer(examples=EXAMPLES, **arguments)


@pytest.mark.parametrize(
    ("node", "name", "expected"),
    [
        (trainer(module_file=PATH), "module_file", "a/b"),
        (trainer(train_args={"num_steps": STEPS}), "train_args", {"num_steps": 7}),
        (
            trainer(train_args={"splits": [SPLIT], "num_steps": STEPS}),
            "train_args",
            {"splits": ["train"], "num_steps": 7},
        ),
        (trainer(custom_config={"a": {"b": [RATE]}}), "custom_config", {"a": {"b": [0.5]}}),
        (
            Pusher(model=MODEL, push_destination={"filesystem": {"base_directory": PATH}}),
            "push_destination",
            {"filesystem": {"base_directory": "a/b"}},
        ),
        (
            CsvExampleGen(
                input_base=PATH, input_config={"splits": [{"name": SPLIT, "pattern": "*"}]}
            ),
            "input_config",
            {"splits": [{"name": "train", "pattern": "*"}]},
        ),
        (
            Evaluator(
                examples=EXAMPLES,
                model=MODEL,
                feature_slicing_spec={"specs": [{"column_for_slicing": [SPLIT]}]},
                fairness_indicator_thresholds=[RATE],
            ),
            "fairness_indicator_thresholds",
            [0.5],
        ),
        (
            Evaluator(
                examples=EXAMPLES,
                model=MODEL,
                eval_config={"model_specs": [{"label_key": SPLIT}]},
            ),
            "eval_config",
            {"model_specs": [{"label_key": "train"}]},
        ),
        (
            Transform(
                examples=EXAMPLES,
                schema=SCHEMA,
                module_file=PATH,
                splits_config={"analyze": [SPLIT]},
            ),
            "splits_config",
            {"analyze": ["train"]},
        ),
        (
            SchemaGen(statistics=STATISTICS, infer_feature_shape=STEPS),
            "infer_feature_shape",
            7,
        ),
        (StatisticsGen(examples=EXAMPLES, exclude_splits=[SPLIT]), "exclude_splits", ["train"]),
        (ImportSchemaGen(schema_file=f"{PATH}/schema.pbtxt"), "schema_file", "a/b/schema.pbtxt"),
    ],
    ids=lambda value: value.id if hasattr(value, "id") else "",
)
def test_values_of_a_run_take_the_places_of_parameters(node, name, expected):
    value = resolve_runtime_parameters(node, GIVEN)[name]
    if isinstance(expected, (dict, list)):
        value = json.loads(value)
    assert value == expected


def test_a_pipeline_knows_the_parameters_within_dicts():
    node = trainer(train_args={"num_steps": STEPS}, custom_config={"rates": [RATE]})
    pipeline = Pipeline("p", "root", components=[node])
    assert sorted(pipeline.runtime_parameters()) == ["rate", "steps"]
    with pytest.raises(ValueError, match="'rate' has no default and was given no value"):
        check_pipeline(pipeline, {"steps": 1})
    with pytest.raises(ValueError, match="'steps' expects int, got 'many'"):
        check_pipeline(pipeline, {"steps": "many", "rate": 1})


def test_what_is_wrong_around_a_parameter_is_refused_at_once():
    with pytest.raises(ValueError, match="num_stepz"):
        trainer(train_args={"num_stepz": STEPS})


class CountSpec(ComponentSpec):
    PARAMETERS = {
        "number": ExecutionParameter(type=int, optional=True),
        "names": ExecutionParameter(type=list[str], optional=True),
    }
    INPUTS = {}
    OUTPUTS = {}


def test_a_ptype_that_does_not_fit_is_refused():
    with pytest.raises(TypeError, match="Expected type <class 'int'> for parameter 'number'"):
        CountSpec(number=PATH)
    with pytest.raises(TypeError, match=r"Expected type list\[str\] for parameter 'names'"):
        CountSpec(names=[STEPS])
    assert CountSpec(number=STEPS, names=[SPLIT]).exec_properties["names"] == [SPLIT]
