"""The formats and files of examples, and values out of an executor's dicts."""

import pytest

from tfx.components.util import examples_utils, model_utils, value_utils
from tfx.proto import example_gen_pb2
from tfx.types import standard_artifacts


def examples(split_names='["train"]'):
    artifact = standard_artifacts.Examples()
    artifact.uri = "/root/examples"
    artifact.split_names = split_names
    return artifact


def test_formats_are_noted_and_have_defaults():
    artifact = examples()
    assert examples_utils.get_payload_format_string(artifact) == "FORMAT_TF_EXAMPLE"
    assert examples_utils.get_file_format(artifact) == "tfrecords_gzip"
    examples_utils.set_payload_format(artifact, example_gen_pb2.FORMAT_PROTO)
    examples_utils.set_file_format(artifact, "FILE_FORMAT_PARQUET")
    assert examples_utils.get_payload_format(artifact) == example_gen_pb2.FORMAT_PROTO
    assert examples_utils.get_file_format(artifact) == "FILE_FORMAT_PARQUET"
    with pytest.raises(AssertionError, match="must be of type standard_artifacts.Examples"):
        examples_utils.get_payload_format(standard_artifacts.Schema())


def test_splits_may_be_elsewhere():
    plain, custom = examples(), examples("")
    name, value = examples_utils.get_custom_split_patterns_key_and_property({"train": "a/t-*"})
    custom.set_string_custom_property(name, value)
    patterns = examples_utils.get_split_file_patterns([plain, custom], "train")
    assert patterns == ["/root/examples/Split-train/*", "/root/examples/a/t-*"]
    with pytest.raises(ValueError, match="Missing split eval .* it has train"):
        examples_utils.get_split_file_patterns([custom], "eval")


def test_values_of_a_label():
    inputs = {"one": [1], "two": [1, 2], "bare": 5}
    assert value_utils.GetValues(inputs, "none") == []
    assert value_utils.GetSoleValue(inputs, "bare") == 5
    assert value_utils.GetSoleValue(inputs, "none", strict=False) is None
    with pytest.raises(ValueError, match="one and only one value for label none"):
        value_utils.GetSoleValue(inputs, "none")
    with pytest.raises(ValueError, match="not be more than one value for label two"):
        value_utils.GetSoleValue(inputs, "two", strict=False)


def test_blessings():
    blessing = standard_artifacts.ModelBlessing()
    assert not model_utils.is_model_blessed(blessing)
    blessing.set_int_custom_property("blessed", 1)
    assert model_utils.is_model_blessed(blessing)
    assert model_utils.is_infra_validated(blessing)
