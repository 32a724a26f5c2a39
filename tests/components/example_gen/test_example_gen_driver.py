"""The drivers of ExampleGens as TFX's launcher calls them, and what they keep out of the cache."""

import os
from types import SimpleNamespace

import pytest

from trainwright import LocalDagRunner, Pipeline
from trainwright.components import CsvExampleGen
from trainwright.components.example_gen.driver import FileBasedDriver
from trainwright.components.example_gen.user_helpers import (
    calculate_splits_fingerprint_span_and_version,
    get_pattern_for_span_version,
    to_file_format_str,
    verify_split_pattern_specs,
)
from trainwright.proto import example_gen_pb2
from trainwright.types.standard_artifacts import Examples

InputSplit = example_gen_pb2.Input.Split


@pytest.fixture
def data(tmp_path):
    file = tmp_path / "data" / "day03" / "a.csv"
    file.parent.mkdir(parents=True)
    file.write_text("a\n1\n2\n3\n")
    return file


def test_a_driver_gives_messages_as_tfx_s_launcher_wants_them(data):
    config = {"splits": [{"name": "all", "pattern": "day{SPAN:2}/*"}]}
    node = CsvExampleGen(str(data.parent.parent), input_config=config)
    examples = Examples()
    examples.uri = "somewhere"
    properties = dict(node.exec_properties)
    info = SimpleNamespace(exec_properties=properties, output_dict={"examples": [examples]})
    result = FileBasedDriver("a metadata handle").run(info)
    assert properties["span"] == result.exec_properties["span"].int_value == 3
    assert "day03/*" in result.exec_properties["input_config"].string_value
    assert not [name for name in result.exec_properties if name.startswith("_")]
    [artifact] = result.output_artifacts["examples"].artifacts
    assert artifact.uri == "somewhere"
    assert artifact.custom_properties["span"].int_value == 3
    fingerprint = artifact.custom_properties["input_fingerprint"].string_value
    assert fingerprint.startswith("split:all,num_files:1,total_bytes:8,")


def test_files_that_are_only_touched_do_not_run_again(data, tmp_path):
    def run():
        node = CsvExampleGen(str(data.parent))
        pipeline = Pipeline("p", str(tmp_path / "root"), components=[node], enable_cache=True)
        [examples] = LocalDagRunner().run(pipeline).outputs["CsvExampleGen"]["examples"]
        return examples.id

    first = run()
    os.utime(data, (1, 1))
    assert run() == first


def test_a_fingerprint_fills_the_patterns(data):
    split = InputSplit(name="all", pattern="day{SPAN}/*")
    base = str(data.parent.parent)
    found, span, version = calculate_splits_fingerprint_span_and_version(base, [split])
    assert found.startswith("split:all,num_files:1,total_bytes:8,xor_checksum:")
    assert (span, version, split.pattern) == (3, None, "day03/*")


def test_helpers_for_patterns():
    split = InputSplit(name="all", pattern="{YYYY}{MM}{DD}/v{VERSION:2}/*")
    assert verify_split_pattern_specs(split) == (False, True, True)
    assert get_pattern_for_span_version(split.pattern, False, True, True, 2, 7) == "19700103/v07/*"
    assert (
        get_pattern_for_span_version(split.pattern, False, True, False, 2, None)
        == "19700103/v{VERSION:2}/*"
    )
    assert to_file_format_str(0) == to_file_format_str(5) == "tfrecords_gzip"
    with pytest.raises(ValueError, match="File format is not valid"):
        to_file_format_str(16)
