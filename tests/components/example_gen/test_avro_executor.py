"""Avro files become examples without Beam."""

from pathlib import Path

import pytest

from trainwright.components import FileBasedExampleGen
from trainwright.components.example_gen.avro_executor import Executor
from trainwright.data.example_messages import example_class
from trainwright.data.tfrecord import read_records
from trainwright.dsl.executor_spec import ExecutorClassSpec
from trainwright.types.standard_artifacts import Examples

fastavro = pytest.importorskip("fastavro")

SCHEMA = fastavro.parse_schema(
    {
        "type": "record",
        "name": "Trip",
        "fields": [
            {"name": "fare", "type": "long"},
            {"name": "company", "type": ["null", "string"]},
            {"name": "stops", "type": {"type": "array", "items": "double"}},
        ],
    }
)
TRIPS = [
    {"fare": number, "company": None if number % 3 else f"c{number}", "stops": [0.5] * (number % 2)}
    for number in range(12)
]


def do(directory, uri):
    node = FileBasedExampleGen(str(directory), custom_executor_spec=ExecutorClassSpec(Executor))
    examples = Examples()
    examples.uri = str(uri)
    Executor().Do({}, {"examples": [examples]}, dict(node.exec_properties))
    files = sorted(Path(uri).glob("Split-*/*"))
    records = [record for file in files for record in read_records(file)]
    return examples, [example_class().FromString(record).features.feature for record in records]


def test_records_become_examples(tmp_path):
    with open(tmp_path / "a.avro", "wb") as file:
        fastavro.writer(file, SCHEMA, TRIPS)
    examples, found = do(tmp_path, tmp_path / "out")
    assert examples.split_names == '["train", "eval"]'
    assert examples.get_string_custom_property("payload_format") == "FORMAT_TF_EXAMPLE"
    by_fare = {features["fare"].int64_list.value[0]: features for features in found}
    assert sorted(by_fare) == list(range(12))
    assert by_fare[3]["company"].bytes_list.value == [b"c3"]
    assert by_fare[3]["stops"].float_list.value == [0.5]
    assert by_fare[4]["company"].WhichOneof("kind") is None
    assert by_fare[4]["stops"].WhichOneof("kind") is None


def test_another_file_is_named(tmp_path):
    (tmp_path / "README.md").write_text("not Avro")
    with pytest.raises(ValueError, match=r"README\.md cannot be read as Avro"):
        do(tmp_path, tmp_path / "out")
