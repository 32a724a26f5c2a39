"""ExampleGens whose files lie in an object store: found, followed by the cache, fetched once."""

from __future__ import annotations

import os
import uuid
from pathlib import Path

import pyarrow
import pyarrow.parquet
import pytest

from trainwright import LocalDagRunner, Pipeline
from trainwright.components import CsvExampleGen, ImportExampleGen, ParquetExampleGen
from trainwright.components.example_gen.csv_example_gen.executor import Executor
from trainwright.components.example_gen.driver import FileBasedDriver
from trainwright.components.example_gen.span_patterns import matching_files
from trainwright.dsl.remote_files import note_remote_files
from trainwright.proto import example_gen_pb2
from trainwright.storage import objects
from trainwright.storage.errors import ObjectChangedError
from trainwright.types.standard_artifacts import Examples
from trainwright.types.standard_component_specs import INPUT_BASE_KEY


@pytest.fixture
def bucket(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TRAINWRIGHT_CACHE_DIR", str(tmp_path / "cache"))
    uri = f"memory://test-{uuid.uuid4().hex[:12]}"
    yield uri
    objects.remove_tree(uri)


def run(component, **options):
    pipeline = Pipeline("p", "root", components=[component], enable_cache=True, **options)
    return LocalDagRunner().run(pipeline)


def _outcome(result):
    [state] = result.states.values()
    return state.value


def _input(**patterns):
    return example_gen_pb2.Input(
        splits=[
            example_gen_pb2.Input.Split(name=name, pattern=pattern)
            for name, pattern in patterns.items()
        ]
    )


def test_a_csv_is_read_reused_and_read_again_when_it_changed(bucket, tmp_path):
    objects.write(f"{bucket}/data/trips.csv", b"x,y\n" + b"1,2\n" * 10)
    first = run(CsvExampleGen(input_base=f"{bucket}/data"))
    assert _outcome(first) == "complete"
    assert _outcome(run(CsvExampleGen(input_base=f"{bucket}/data"))) == "cached"
    objects.write(f"{bucket}/data/trips.csv", b"x,y\n" + b"1,3\n" * 10)
    assert _outcome(run(CsvExampleGen(input_base=f"{bucket}/data/"))) == "complete"
    copies = [name for _, _, names in os.walk(tmp_path / "cache") for name in names]
    assert copies.count("trips.csv") == 2, "each content was fetched once"


def test_patterns_spans_versions_and_splits(bucket):
    for span, version in ((1, 1), (2, 1), (2, 2)):
        for split in ("train", "eval"):
            name = f"{bucket}/in/span-{span}/v{version}/{split}/a.csv"
            objects.write(name, f"x\n{span}{version}\n".encode())
    objects.write(f"{bucket}/in/span-2/v2/train/.hidden.csv", b"")
    config = _input(train="span-{SPAN}/v{VERSION}/train/*", eval="span-{SPAN}/v{VERSION}/eval/*")
    component = CsvExampleGen(input_base=f"{bucket}/in", input_config=config)
    properties = FileBasedDriver().resolve_exec_properties(
        {**component.exec_properties, INPUT_BASE_KEY: f"{bucket}/in"}
    )
    assert (properties["span"], properties["version"]) == (2, 2)
    assert properties["_input_files"] == {
        "train": [f"{bucket}/in/span-2/v2/train/a.csv"],
        "eval": [f"{bucket}/in/span-2/v2/eval/a.csv"],
    }
    assert "split:train,num_files:1,total_bytes:5" in properties["input_fingerprint"]
    assert _outcome(run(component)) == "complete"


def test_globs_match_as_they_do_in_a_directory(bucket, tmp_path):
    names = ["a.csv", "b.txt", "c/a.csv", "c/d/a.csv", ".h/a.csv", "c/.b.csv", "[x]/a.csv"]
    for name in names:
        objects.write(f"{bucket}/base/{name}", b"x")
        path = tmp_path / "base" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"x")
    for pattern in ("*", "*.csv", "**/*.csv", "c/*", "?/*.csv", "[a-b].*", "c/**", "none/*"):
        local = matching_files(str(tmp_path / "base"), pattern)
        assert matching_files(f"{bucket}/base", pattern) == [
            f"{bucket}/base/{os.path.relpath(path, tmp_path / 'base')}" for path in local
        ], pattern


def test_an_object_that_stands_for_a_directory_is_not_a_file(bucket):
    objects.write(f"{bucket}/base/day/a.csv", b"x")
    facts = objects.list_tree(bucket)
    marker = objects.ObjectFacts(uri=f"{bucket}/base/day", size=0, modified_ns=0, etag=None)
    assert objects._without_markers([*facts, marker], bucket) == facts


def test_records_and_parquet_files(bucket, tmp_path):
    objects.write(f"{bucket}/csv/a.csv", b"x\n" + b"1\n" * 50)
    examples = run(CsvExampleGen(input_base=f"{bucket}/csv"))["CsvExampleGen"].examples
    [path] = (Path(examples.uri) / "Split-train").iterdir()
    objects.write(f"{bucket}/records/a.gz", path.read_bytes())
    assert _outcome(run(ImportExampleGen(input_base=f"{bucket}/records"))) == "complete"
    pyarrow.parquet.write_table(pyarrow.table({"x": [1, 2, 3]}), tmp_path / "a.parquet")
    objects.write(f"{bucket}/tables/a.parquet", (tmp_path / "a.parquet").read_bytes())
    assert _outcome(run(ParquetExampleGen(input_base=f"{bucket}/tables"))) == "complete"


def test_what_is_not_there_is_refused_before_anything_starts(bucket, tmp_path):
    objects.write(f"{bucket}/data/notes.txt", b"")
    with pytest.raises(ValueError, match=r"there is no object below 'memory://.*/nowhere'"):
        run(CsvExampleGen(input_base=f"{bucket}/nowhere"))
    with pytest.raises(ValueError, match=r"notes\.txt' is an object"):
        run(CsvExampleGen(input_base=f"{bucket}/data/notes.txt"))
    config = _input(train="*.csv")
    with pytest.raises(ValueError, match=r"No file matches .* holds \['notes\.txt'\]"):
        run(CsvExampleGen(input_base=f"{bucket}/data", input_config=config))
    assert not (tmp_path / "root").exists()


def test_a_file_that_is_replaced_between_the_look_and_the_reading_is_an_error(bucket, tmp_path):
    """The cache key is that of what was there before: another content would belie it."""
    objects.write(f"{bucket}/data/a.csv", b"x\n1\n")
    component = CsvExampleGen(input_base=f"{bucket}/data")
    properties = FileBasedDriver().resolve_exec_properties(dict(component.exec_properties))
    note_remote_files(properties, objects.list_tree(bucket))
    objects.write(f"{bucket}/data/a.csv", b"x\n2\n")
    examples = Examples()
    examples.uri = str(tmp_path / "out")
    with pytest.raises(ObjectChangedError, match=r"a\.csv' was replaced while it was read"):
        Executor().Do({}, {"examples": [examples]}, properties)
