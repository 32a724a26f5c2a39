"""Values in messages of stores and compiled pipelines, and back."""

import pytest

from ml_metadata.proto import metadata_store_pb2 as pb
from tfx.orchestration import data_types_utils
from tfx.proto import trainer_pb2
from tfx.proto.orchestration import pipeline_pb2
from tfx.types.standard_artifacts import Examples

VALUES = {
    "int": 3,
    "float": 0.5,
    "str": "text",
    "bool": True,
    "list": [1, 2],
    "dict": {"a": [True], "b": [False]},
    "proto": trainer_pb2.TrainArgs(num_steps=7),
    "protos": [trainer_pb2.TrainArgs(splits=["train"])],
}


def test_values_come_back_by_their_schemas():
    messages = data_types_utils.build_pipeline_value_dict({**VALUES, "none": None})
    assert messages["bool"].field_value.string_value == "true"
    assert messages["int"].field_value.int_value == 3
    assert not messages["str"].HasField("schema")
    parsed = data_types_utils.build_parsed_value_dict(messages)
    assert parsed == VALUES


def test_values_of_a_store_are_numbers_strings_and_json():
    messages = data_types_utils.build_metadata_value_dict({**VALUES, "none": None})
    assert "none" not in messages
    plain = data_types_utils.build_value_dict(messages)
    assert plain["int"] == 3
    assert plain["list"] == "[1, 2]"
    assert "numSteps" in plain["proto"] or "num_steps" in plain["proto"]
    assert data_types_utils.get_metadata_value(pb.Value()) is None


@pytest.mark.parametrize(
    ("value", "expected"),
    [(1, pb.INT), (0.5, pb.DOUBLE), ("a", pb.STRING), ([1], pb.STRING), (True, pb.INT)],
)
def test_types_of_properties(value, expected):
    assert data_types_utils.get_metadata_value_type(value) == expected


def test_what_cannot_be_stored_or_is_not_known_yet():
    with pytest.raises(ValueError, match="Unexpected type"):
        data_types_utils.set_parameter_value(pipeline_pb2.Value(), object())
    unknown = pipeline_pb2.Value()
    unknown.runtime_parameter.name = "steps"
    with pytest.raises(RuntimeError, match="Expecting field_value"):
        data_types_utils.get_value(unknown)
    with pytest.raises(RuntimeError, match="Field value missing for steps"):
        data_types_utils.build_parsed_value_dict({"steps": unknown})


def test_artifacts_travel_as_structs():
    examples = Examples()
    examples.uri = "/examples"
    examples.span = 3
    structs = data_types_utils.build_artifact_struct_dict({"examples": [examples]})
    (back,) = data_types_utils.build_artifact_dict(structs)["examples"]
    assert isinstance(back, Examples)
    assert (back.uri, back.span) == ("/examples", 3)
