"""From files to anomalies: statistics, a schema that is kept, data that does not fit."""

from __future__ import annotations

import json
import textwrap
from pathlib import Path

import pytest
from tensorflow_metadata.proto.v0 import schema_pb2, statistics_pb2

from trainwright import LocalDagRunner, Pipeline, PipelineRunError
from trainwright.components import (
    CsvExampleGen,
    ExampleValidator,
    ImportExampleGen,
    ImportSchemaGen,
    SchemaGen,
    StatisticsGen,
    Trainer,
)
from trainwright.data.example_messages import example_class, sequence_example_class
from trainwright.data.tfrecord import open_gzip_writer
from trainwright.proto import example_gen_pb2
from trainwright.schemas.schema_file import read_schema


def run(tmp_path, schema_file=None, example_gen=None, and_then=lambda *nodes: []):
    """Runs a pipeline from the files in `data`; `and_then` makes nodes from those before."""
    example_gen = example_gen or CsvExampleGen(input_base=str(tmp_path / "data"))
    statistics_gen = StatisticsGen(examples=example_gen.outputs["examples"])
    statistics = statistics_gen.outputs["statistics"]
    if schema_file is None:
        schema_gen = SchemaGen(statistics=statistics)
    else:
        schema_gen = ImportSchemaGen(schema_file=str(schema_file))
    validator = ExampleValidator(statistics=statistics, schema=schema_gen.outputs["schema"])
    components = [example_gen, statistics_gen, schema_gen, validator]
    components += and_then(example_gen, statistics_gen)
    pipeline = Pipeline("know", str(tmp_path / "root"), components=components, enable_cache=True)
    return LocalDagRunner(observer=lambda event: None).run(pipeline)


def write_csv(tmp_path, islands: list[str]) -> None:
    directory = tmp_path / "data"
    directory.mkdir(exist_ok=True)
    rows = [f"{number},{islands[number % len(islands)]}\n" for number in range(300)]
    (directory / "data.csv").write_text("mass,island\n" + "".join(rows))


def write_records(path, messages):
    path.parent.mkdir(exist_ok=True)
    with open_gzip_writer(path) as write:
        write([message.SerializeToString() for message in messages])


def read_dataset(result, split="train"):
    [artifact] = result.outputs["StatisticsGen"]["statistics"]
    with open(f"{artifact.uri}/Split-{split}/FeatureStats.pb", "rb") as file:
        [dataset] = statistics_pb2.DatasetFeatureStatisticsList.FromString(file.read()).datasets
    return dataset


def read_inferred(result):
    """The schema, and its features by name."""
    [artifact] = result.outputs["SchemaGen"]["schema"]
    schema = read_schema(f"{artifact.uri}/schema.pbtxt")
    return schema, {feature.name: feature for feature in schema.feature}


def test_data_fits_the_schema_that_was_inferred_from_it(tmp_path):
    write_csv(tmp_path, ["Biscoe", "Dream"])
    result = run(tmp_path)
    assert result.notes == ["ExampleValidator: anomalies in train: none; eval: none"]
    assert {state.value for state in run(tmp_path).states.values()} == {"cached"}


def test_new_data_is_held_against_the_schema_that_was_kept(tmp_path):
    write_csv(tmp_path, ["Biscoe", "Dream"])
    schema = run(tmp_path).outputs["SchemaGen"]["schema"][0]
    kept = tmp_path / "schema.pbtxt"
    with open(f"{schema.uri}/schema.pbtxt") as file:
        kept.write_text(file.read())
    write_csv(tmp_path, ["Biscoe", "Torgersen"])
    (note,) = run(tmp_path, kept).notes
    assert note.startswith("ExampleValidator: anomalies in train: 1: island (Unexpected string")


def test_a_split_that_got_no_rows(tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "one.csv").write_text("mass,island\n3750,Biscoe\n")
    result = run(tmp_path)
    counts = {split: read_dataset(result, split).num_examples for split in ("train", "eval")}
    assert sorted(counts.values()) == [0, 1]
    (said_first, note) = result.notes
    assert said_first in [f"CsvExampleGen: Split {split} is empty." for split in counts]
    assert ": no examples" in note
    assert ": none" in note
    _, features = read_inferred(result)
    assert set(features) == {"mass", "island"}


def test_a_column_without_any_value_and_names_of_all_scripts(tmp_path):
    (tmp_path / "data").mkdir()
    rows = "".join(f"{number},,{'東京' if number % 2 else 'Zürich'}\n" for number in range(60))
    (tmp_path / "data" / "cities.csv").write_text("id,empty,ville é\n" + rows, encoding="utf-8")
    result = run(tmp_path)
    assert result.notes == ["ExampleValidator: anomalies in train: none; eval: none"]
    schema, features = read_inferred(result)
    assert list(schema.string_domain[0].value) == ["Zürich", "東京"]
    assert features["empty"].presence == schema_pb2.FeaturePresence(min_count=0)


def test_sequence_examples(tmp_path):
    messages = []
    for number in range(80):
        message = sequence_example_class()()
        message.context.feature["user"].bytes_list.value.append(b"user %d" % (number % 7))
        for step in range(number % 4):
            clicks = message.feature_lists.feature_list["clicks"].feature.add()
            clicks.int64_list.value.extend(range(step))
            clicks.int64_list.SetInParent()
        messages.append(message)
    write_records(tmp_path / "data" / "clicks.gz", messages)
    example_gen = ImportExampleGen(
        input_base=str(tmp_path / "data"),
        payload_format=example_gen_pb2.FORMAT_TF_SEQUENCE_EXAMPLE,
    )
    result = run(tmp_path, example_gen=example_gen)
    assert result.notes == ["ExampleValidator: anomalies in train: none; eval: none"]
    assert sum(read_dataset(result, split).num_examples for split in ("train", "eval")) == 80
    _, features = read_inferred(result)
    [sequence] = features["##SEQUENCE##"].struct_domain.feature
    assert (sequence.name, sequence.type) == ("clicks", schema_pb2.INT)


def test_a_type_that_changes_fails_the_run_in_words(tmp_path):
    messages = [example_class()() for _ in range(40)]
    for number, message in enumerate(messages):
        feature = message.features.feature["age"]
        if number % 2:
            feature.int64_list.value.append(number)
        else:
            feature.bytes_list.value.append(b"unknown")
    write_records(tmp_path / "data" / "ages.gz", messages)
    with pytest.raises(PipelineRunError) as raised:
        run(tmp_path, example_gen=ImportExampleGen(input_base=str(tmp_path / "data")))
    assert "StatisticsGen failed" in str(raised.value)
    assert 'for feature "age"' in str(raised.value)
    assert "Expected one type of a feature in all examples" in str(raised.value)


TRAINER = """
    import json, pathlib

    def run_fn(fn_args):
        directory = pathlib.Path(fn_args.serving_model_dir)
        directory.mkdir(parents=True)
        (directory / "model.json").write_text(json.dumps(fn_args.num_examples))
"""


def test_the_trainer_is_told_how_many_examples_there_are(tmp_path):
    write_csv(tmp_path, ["Biscoe", "Dream"])
    module = tmp_path / "module.py"
    module.write_text(textwrap.dedent(TRAINER))

    def train(example_gen, statistics_gen):
        trainer = Trainer(
            module_file=str(module),
            examples=example_gen.outputs["examples"],
            statistics=statistics_gen.outputs["statistics"],
            train_args={"num_steps": 1},
            eval_args={"num_steps": 1},
        )
        return [trainer]

    result = run(tmp_path, and_then=train)
    [model] = result.outputs["Trainer"]["model"]
    told = json.loads(Path(model.uri, "Format-Serving", "model.json").read_text())
    assert told == {split: read_dataset(result, split).num_examples for split in told}
    assert sum(told.values()) == 300
