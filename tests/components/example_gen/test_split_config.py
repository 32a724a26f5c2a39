"""Input and output configs of an ExampleGen."""

import pytest

from trainwright import RuntimeParameter
from trainwright.components import CsvExampleGen
from trainwright.components.example_gen.split_config import (
    make_input_config,
    make_output_config,
    output_split_names,
)
from trainwright.proto import example_gen_pb2, proto_json

SINGLE = make_input_config(None)


def buckets(config):
    return [(split.name, split.hash_buckets) for split in config.split_config.splits]


def two_inputs():
    return make_input_config(
        {"splits": [{"name": "a", "pattern": "a/*"}, {"name": "b", "pattern": "b/*"}]}
    )


def output(*splits):
    return {"split_config": {"splits": list(splits)}}


def test_by_default_all_files_are_divided_two_to_one():
    assert [(split.name, split.pattern) for split in SINGLE.splits] == [("single_split", "*")]
    config = make_output_config(SINGLE, None)
    assert buckets(config) == [("train", 2), ("eval", 1)]
    assert output_split_names(SINGLE, config) == ["train", "eval"]


def test_several_input_splits_are_the_output_s_too():
    config = make_output_config(two_inputs(), None)
    assert buckets(config) == []
    assert output_split_names(two_inputs(), config) == ["a", "b"]


def test_several_input_splits_and_output_splits_contradict_each_other():
    with pytest.raises(RuntimeError, match="not both"):
        make_output_config(two_inputs(), output({"name": "train", "hash_buckets": 1}))


@pytest.mark.parametrize(
    "given",
    [
        {"splits": [{"name": "all", "pattern": "*.csv"}]},
        '{"splits": [{"name": "all", "pattern": "*.csv"}]}',
        example_gen_pb2.Input(splits=[example_gen_pb2.Input.Split(name="all", pattern="*.csv")]),
    ],
)
def test_an_input_config_may_be_a_dict_json_or_a_proto(given):
    config = make_input_config(given)
    assert [(split.name, split.pattern) for split in config.splits] == [("all", "*.csv")]


@pytest.mark.parametrize("form", [dict, str, example_gen_pb2.Output])
def test_an_output_config_may_be_a_dict_json_or_a_proto(form):
    as_dict = output({"name": "a", "hash_buckets": 8}, {"name": "b", "hash_buckets": 2})
    proto = proto_json.dict_to_proto(as_dict, example_gen_pb2.Output())
    given = {dict: as_dict, str: proto_json.proto_to_json(proto), example_gen_pb2.Output: proto}
    config = make_output_config(SINGLE, given[form])
    assert buckets(config) == [("a", 8), ("b", 2)]
    assert output_split_names(SINGLE, config) == ["a", "b"]


def test_a_given_proto_is_not_changed():
    given = example_gen_pb2.Output()
    make_output_config(SINGLE, given)
    assert given == example_gen_pb2.Output()


def test_a_partition_feature_alone_keeps_the_default_splits():
    config = make_output_config(SINGLE, {"split_config": {"partition_feature_name": "island"}})
    assert buckets(config) == [("train", 2), ("eval", 1)]
    assert config.split_config.partition_feature_name == "island"


@pytest.mark.parametrize(
    ("config", "complaint"),
    [
        ({"splits": []}, "has no splits; expected for example"),
        ({"splits": [{"pattern": "*"}]}, "A split in input_config has no name"),
        ({"splits": [{"name": "a/b", "pattern": "*"}]}, "Split names are expected to be alphanum"),
        ({"splits": [{"name": "a"}]}, "Input split 'a' has no pattern"),
        ({"splits": [{"name": "a", "pattern": "1"}, {"name": "a", "pattern": "2"}]}, "different"),
        ({"split": []}, "no field 'split'. Did you mean 'splits'?"),
        ("splits: {}", "Input cannot be read from"),
    ],
)
def test_a_wrong_input_config_is_refused(config, complaint):
    with pytest.raises(ValueError) as raised:
        make_input_config(config)
    assert complaint in str(raised.value)


@pytest.mark.parametrize(
    ("config", "complaint"),
    [
        (output({"name": "a", "hash_buckets": 0}), "Output split 'a' has 0 hash_buckets"),
        (output({"name": "a"}), "Output split 'a' has 0 hash_buckets"),
        (output({"hash_buckets": 1}), "A split in output_config has no name"),
        (output({"name": "-a", "hash_buckets": 1}), "Split names are expected to be alphanumeric"),
        (output(*[{"name": "a", "hash_buckets": 1}] * 2), "must have different names"),
        (output({"name": "a", "hash_bucket": 1}), "Did you mean 'hash_buckets'?"),
    ],
)
def test_a_wrong_output_config_is_refused(config, complaint):
    with pytest.raises(ValueError) as raised:
        make_output_config(SINGLE, config)
    assert complaint in str(raised.value)


@pytest.mark.parametrize("wrong", [5, example_gen_pb2.Output()])
def test_another_type_is_no_input_config(wrong):
    with pytest.raises(TypeError, match="Expected Input, a dict or JSON, got"):
        make_input_config(wrong)


def test_the_component_refuses_what_the_configs_refuse():
    with pytest.raises(RuntimeError, match="not both"):
        CsvExampleGen(
            "data",
            input_config=two_inputs(),
            output_config=output({"name": "a", "hash_buckets": 1}),
        )
    with pytest.raises(ValueError, match="Missing argument 'input_base'"):
        CsvExampleGen()


def test_a_range_without_a_span_in_the_patterns_is_refused_before_the_run(tmp_path):
    node = CsvExampleGen(str(tmp_path), range_config={"static_range": {}})
    with pytest.raises(ValueError, match="range_config asks for span 0: put {SPAN}"):
        node.DRIVER_CLASS().check(node, dict(node.exec_properties))


def test_the_component_s_properties_are_tfx_s():
    node = CsvExampleGen("data")
    assert node.type_name == "tfx.components.example_gen.csv_example_gen.component.CsvExampleGen"
    assert node.exec_properties["input_base"] == "data"
    assert node.exec_properties["output_data_format"] == 6
    assert node.exec_properties["output_file_format"] == 5
    input_config = proto_json.json_to_proto(
        node.exec_properties["input_config"], example_gen_pb2.Input()
    )
    assert input_config == SINGLE


def test_what_comes_with_the_run_is_checked_then():
    base, config = RuntimeParameter("base"), RuntimeParameter("config", ptype=str)
    node = CsvExampleGen(base, input_config=config)
    assert node.exec_properties["input_base"] is base
    assert node.exec_properties["input_config"] is config
