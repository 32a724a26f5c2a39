"""CsvExampleGen, by hand and in a pipeline: what it writes, reuses and complains about."""

import os
from pathlib import Path

import pytest

from trainwright import LocalDagRunner, Pipeline, PipelineRunError, open_store
from trainwright.components import CsvExampleGen
from trainwright.components.example_gen.csv_example_gen.executor import Executor
from trainwright.data.tfrecord import read_records
from trainwright.orchestration.run_result import NodeState
from trainwright.types.standard_artifacts import Examples

ROWS = "".join(f"{number},{number / 4},name {number}\n" for number in range(30))
CSV = "id,weight,name\n" + ROWS


@pytest.fixture
def data(tmp_path):
    directory = tmp_path / "data"
    directory.mkdir()
    (directory / "penguins.csv").write_text(CSV)
    return directory


def count(uri, split):
    files = sorted(Path(uri, f"Split-{split}").iterdir())
    return sum(1 for file in files for _ in read_records(file))


def do(component, uri):
    """Calls the executor as its author would in a unit test, without a driver."""
    examples = Examples()
    examples.uri = str(uri)
    Executor().Do({}, {"examples": [examples]}, dict(component.exec_properties))
    return examples


def run(data, tmp_path, **arguments):
    pipeline = Pipeline(
        "csv",
        str(tmp_path / "root"),
        components=[CsvExampleGen(str(data), **arguments)],
        enable_cache=True,
    )
    return LocalDagRunner().run(pipeline)


def test_the_executor_writes_the_default_splits(data, tmp_path):
    examples = do(CsvExampleGen(str(data)), tmp_path / "out")
    assert examples.splits == ["train", "eval"]
    assert count(examples.uri, "train") + count(examples.uri, "eval") == 30
    assert count(examples.uri, "train") > count(examples.uri, "eval") > 0
    assert sorted(os.listdir(examples.uri)) == ["Split-eval", "Split-train"]
    assert os.listdir(Path(examples.uri, "Split-eval")) == ["data_tfrecord-00000-of-00001.gz"]


def test_the_executor_keeps_several_input_splits(data, tmp_path):
    (data / "more.csv").write_text("id\n1\n2\n")
    config = {
        "splits": [
            {"name": "old", "pattern": "penguins.csv"},
            {"name": "new", "pattern": "more.csv"},
        ]
    }
    examples = do(CsvExampleGen(str(data), input_config=config), tmp_path / "out")
    assert examples.splits == ["old", "new"]
    assert (count(examples.uri, "old"), count(examples.uri, "new")) == (30, 2)


def test_a_split_that_gets_no_rows_is_there_and_empty(data, tmp_path):
    (data / "penguins.csv").write_text("id\n1\n")
    examples = do(CsvExampleGen(str(data)), tmp_path / "out")
    assert sorted([count(examples.uri, "train"), count(examples.uri, "eval")]) == [0, 1]


def test_what_looks_wrong_is_said_at_the_end_of_a_run(data, tmp_path):
    (data / "penguins.csv").write_text("id;weight\n1;2\n")
    [note] = run(data, tmp_path).notes
    assert note.startswith(f"CsvExampleGen: {data}/penguins.csv is read as one column, 'id;weight'")
    assert "separated by semicolons" in note
    assert note.endswith(" is empty.")  # one row cannot be in both splits


def test_the_artifact_has_tfx_s_properties(data, tmp_path):
    result = run(data, tmp_path)
    examples = result.outputs["CsvExampleGen"]["examples"][0]
    assert examples.properties == {"split_names": '["train", "eval"]'}
    custom = examples.custom_properties
    assert custom["span"] == 0
    assert custom["payload_format"] == "FORMAT_TF_EXAMPLE"
    assert custom["file_format"] == "tfrecords_gzip"
    assert custom["is_external"] == 0
    seconds = int((data / "penguins.csv").stat().st_mtime)
    assert custom["input_fingerprint"] == (
        f"split:single_split,num_files:1,total_bytes:{len(CSV)},"
        f"xor_checksum:{seconds},sum_checksum:{seconds}"
    )
    root = tmp_path / "root"
    assert examples.uri == str(root / "CsvExampleGen" / "examples" / "1")
    assert count(examples.uri, "train") + count(examples.uri, "eval") == 30
    with open_store(root / "metadata.db") as store:
        stored = store.get_execution(1).custom_properties
    assert stored["input_base"] == str(data)
    assert not [name for name in stored if name.startswith("_input")]


def test_unchanged_files_are_reused_and_changed_content_is_not(data, tmp_path):
    first = run(data, tmp_path)
    assert first.states == {"CsvExampleGen": NodeState.COMPLETE}

    # Another time of the same content, as after a new clone, is not a change.
    os.utime(data / "penguins.csv", (1000, 1000))
    second = run(data, tmp_path)
    assert second.states == {"CsvExampleGen": NodeState.CACHED}
    assert (
        second.outputs["CsvExampleGen"]["examples"][0].uri
        == first.outputs["CsvExampleGen"]["examples"][0].uri
    )

    # Other content of the same size and time is one.
    (data / "penguins.csv").write_text(CSV.replace("name 7", "name 8"))
    os.utime(data / "penguins.csv", (1000, 1000))
    third = run(data, tmp_path)
    assert third.states == {"CsvExampleGen": NodeState.COMPLETE}


def test_a_ragged_row_names_the_file_and_the_line(data, tmp_path):
    (data / "penguins.csv").write_text("id,name\n1,a\n2\n")
    with pytest.raises(PipelineRunError) as raised:
        run(data, tmp_path)
    message = str(raised.value)
    assert f"{data}/penguins.csv, line 3: this row has 1 cell" in message
    assert raised.value.result.states == {"CsvExampleGen": NodeState.FAILED}
    assert not list(Path(tmp_path, "root", "CsvExampleGen", "examples").iterdir())


def test_an_empty_file_is_named(data, tmp_path):
    (data / "penguins.csv").write_text("")
    with pytest.raises(PipelineRunError, match=r"penguins\.csv is empty: expected a first line"):
        run(data, tmp_path)


def test_missing_files_are_refused_before_anything_runs(data, tmp_path):
    (data / "penguins.csv").unlink()
    with pytest.raises(ValueError, match="No file matches"):
        run(data, tmp_path)
    assert not (tmp_path / "root").exists()


def test_bad_rows_are_skipped_where_that_is_allowed_and_counted(data, tmp_path):
    (data / "penguins.csv").write_text("id,name\n1,a\n2\n3,c\n")
    examples = do(CsvExampleGen(str(data), max_bad_rows=1), tmp_path / "out")
    assert examples.custom_properties["bad_records"] == 1
    assert count(examples.uri, "train") + count(examples.uri, "eval") == 2
    with pytest.raises(ValueError, match="max_bad_rows is -1: expected how many may be skipped"):
        CsvExampleGen(str(data), max_bad_rows=-1)


def test_the_latest_span_is_read(data, tmp_path):
    for day, rows in (("2024-02-28", 2), ("2024-02-29", 3)):
        (data / day).mkdir()
        (data / day / "rows.csv").write_text("id\n" + "1\n" * rows)
    config = {"splits": [{"name": "all", "pattern": "{YYYY}-{MM}-{DD}/*.csv"}]}
    examples = do(CsvExampleGen(str(data), input_config=config), tmp_path / "out")
    assert examples.custom_properties["span"] == 19782
    assert count(examples.uri, "train") + count(examples.uri, "eval") == 3
