"""Placeholders that were encoded are evaluated as those that were not."""

from __future__ import annotations

import json

import pytest

from trainwright.compat.compiler.expression_text import (
    debug_str,
    get_all_types_in_placeholder_expression,
)
from trainwright.compat.compiler.placeholder_expressions import (
    ResolutionContext,
    resolve_placeholder_expression,
)
from trainwright.compat.orchestration.execution_info import ExecutionInfo
from trainwright.proto import TrainArgs, transform_pb2
from trainwright.proto.orchestration import placeholder_pb2
from trainwright.types.placeholders.artifact_placeholder import input, output
from trainwright.types.placeholders.placeholder import KnownValues, logical_and, logical_not
from trainwright.types.placeholders.placeholder_operators import (
    ListSerializationFormat,
    ProtoSerializationFormat,
    dirname,
    join_path,
    make_dict,
    make_list,
)
from trainwright.types.placeholders.proto_placeholder import make_proto
from trainwright.types.placeholders.runtime_placeholders import (
    environment_variable,
    exec_property,
    execution_invocation,
)
from trainwright.types.standard_artifacts import Examples, Model

EXAMPLES = Examples()
EXAMPLES.uri = "/examples"
EXAMPLES.split_names = '["train"]'
MODEL = Model()
MODEL.uri = "/model/1"
PROPERTIES = {"version": 3, "names": ["a", "b"], "args": TrainArgs(num_steps=5, splits=["train"])}
EXECUTION = ExecutionInfo(
    execution_id=7,
    input_dict={"examples": [EXAMPLES]},
    output_dict={"model": [MODEL]},
    exec_properties=PROPERTIES,
    pipeline_run_id="run",
)
KNOWN = KnownValues(
    inputs=EXECUTION.input_dict,
    outputs=EXECUTION.output_dict,
    exec_properties=PROPERTIES,
    invocation=EXECUTION.to_proto,
)


@pytest.mark.parametrize(
    ("placeholder", "value"),
    [
        (input("examples")[0].split_uri("train") + "/part", "/examples/Split-train/part"),
        (output("model").uri + "-" + exec_property("version"), "/model/1-3"),
        (dirname(output("model").uri), "/model"),
        (
            join_path(output("model").uri, "saved", exec_property("version") + ""),
            "/model/1/saved/3",
        ),
        (exec_property("names")[1], "b"),
        (exec_property("args").num_steps, 5),
        (exec_property("args").splits[0], "train"),
        (exec_property("args").splits.serialize_list(ListSerializationFormat.JSON), '["train"]'),
        (execution_invocation().pipeline_run_id, "run"),
        (environment_variable("A_NAME"), "a value"),
        (environment_variable("A_NAME").b64encode(), "YSB2YWx1ZQ=="),
        (make_list([1, exec_property("version")]), [1, 3]),
        (
            make_dict({"a": exec_property("version"), "b": environment_variable("NOT_SET")}),
            {"a": 3},
        ),
        (exec_property("version") >= 3, True),
        (
            logical_and(exec_property("version") > 1, logical_not(input("examples").uri == "x")),
            True,
        ),
    ],
    ids=str,
)
def test_both_ways_give_the_same(placeholder, value, monkeypatch):
    monkeypatch.setenv("A_NAME", "a value")
    assert placeholder.resolve(KNOWN) == value
    encoded = placeholder.encode()
    assert resolve_placeholder_expression(encoded, ResolutionContext(EXECUTION)) == value


def test_a_message_with_fields_that_are_known_later():
    placeholder = make_proto(
        transform_pb2.SplitsConfig(), analyze=["train", exec_property("names")[0]]
    ).serialize(ProtoSerializationFormat.JSON)
    written = resolve_placeholder_expression(placeholder.encode(), ResolutionContext(EXECUTION))
    assert json.loads(written) == {"analyze": ["train", "a"]}
    assert placeholder.resolve(KNOWN) == written


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"analyse": []}, "Unknown field analyse for proto"),
        ({"analyze": "train"}, "Expected list input for repeated field"),
        ({"analyze": [1]}, "Expected <class 'str'> for .*SplitsConfig.analyze, got 1"),
    ],
)
def test_what_a_message_cannot_hold(fields, message):
    with pytest.raises(ValueError, match=message):
        make_proto(transform_pb2.SplitsConfig(), **fields)


def test_what_is_not_there_is_none_and_what_is_wrong_an_error():
    context = ResolutionContext(EXECUTION)
    absent = input("optional").uri + "/x"
    assert resolve_placeholder_expression(absent.encode(), context) is None
    with pytest.raises(ValueError, match=r'Failed to resolve .*exec_property\("version"\)\[0\]'):
        resolve_placeholder_expression(exec_property("version")[0].encode(), context)
    with pytest.raises(ValueError, match="evaluates to an unsupported type"):
        resolve_placeholder_expression(input("examples").encode(), context)


def test_how_an_expression_reads_and_what_it_needs():
    encoded = (input("examples").uri + exec_property("args").splits.b64encode()).encode()
    assert debug_str(encoded) == (
        '(input("examples")[0].uri + exec_property("args").splits.b64encode())'
    )
    kinds = placeholder_pb2.Placeholder
    assert get_all_types_in_placeholder_expression(encoded) == {
        kinds.INPUT_ARTIFACT,
        kinds.EXEC_PROPERTY,
    }


def test_the_value_of_an_output_is_not_known():
    with pytest.raises(ValueError, match=r"Calling ph.output\(..\).value is not supported"):
        output("model").value  # noqa: B018
