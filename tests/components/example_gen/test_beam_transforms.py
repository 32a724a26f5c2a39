"""TFX's Beam transforms, which programs apply in pipelines of their own."""

from pathlib import Path

import apache_beam as beam
import pyarrow as pa
import pyarrow.parquet
import pytest
from apache_beam.testing.util import assert_that

from tfx.components.example_gen import utils, write_split
from tfx.components.example_gen.csv_example_gen import executor as csv_executor
from tfx.components.example_gen.custom_executors import parquet_executor
from tfx.components.example_gen.import_example_gen import executor as import_executor
from tfx.proto import example_gen_pb2
from trainwright.data.tfrecord import read_records

pytestmark = pytest.mark.reference


def make_pipeline():
    return beam.Pipeline(runner="DirectRunner")


def test_csv_files_become_examples_of_the_types_of_all_files(tmp_path):
    (tmp_path / "a.csv").write_text('number,text\n1,"two\nlines"\n')
    (tmp_path / "b.csv").write_text("number,text\n2.5,\n")

    def check(examples):
        found = {tuple(e.features.feature["number"].float_list.value): e for e in examples}
        assert found[(1.0,)].features.feature["text"].bytes_list.value == [b"two\nlines"]
        assert not found[(2.5,)].features.feature["text"].bytes_list.value

    with make_pipeline() as pipeline:
        read = csv_executor._CsvToExample({"input_base": str(tmp_path)}, "*.csv")
        assert_that(pipeline | read, check)


def test_no_files_and_other_headers_are_refused(tmp_path):
    (tmp_path / "a.csv").write_text("a\n1\n")
    (tmp_path / "b.csv").write_text("b\n1\n")
    for pattern, words in (("*.txt", "does not match any files"), ("*.csv", "different header")):
        with pytest.raises(RuntimeError, match=words):
            make_pipeline() | csv_executor._CsvToExample({"input_base": str(tmp_path)}, pattern)


def test_parquet_rows_pass_with_their_schema(tmp_path):
    pyarrow.parquet.write_table(pa.table({"number": [1, 2, 3]}), tmp_path / "a.parquet")
    properties = {
        "input_base": str(tmp_path),
        "output_data_format": example_gen_pb2.FORMAT_PARQUET,
    }
    with make_pipeline() as pipeline:
        rows = pipeline | import_executor._ImportParquetRecord(properties, "*.parquet")
        _ = rows | write_split.WriteSplit(str(tmp_path / "out"), 0, properties)
    [file] = Path(tmp_path, "out").iterdir()
    assert file.name == f"{write_split.DEFAULT_PARQUET_FILE_NAME}-00000-of-00001.parquet"
    assert sorted(pyarrow.parquet.read_table(file)["number"].to_pylist()) == [1, 2, 3]


def test_examples_are_written_as_tfrecords(tmp_path):
    pyarrow.parquet.write_table(pa.table({"number": [1, 2]}), tmp_path / "a.parquet")
    with make_pipeline() as pipeline:
        read = parquet_executor._ParquetToExample({"input_base": str(tmp_path)}, "*.parquet")
        _ = pipeline | read | write_split.WriteSplit(str(tmp_path / "out"), 5)
    [file] = Path(tmp_path, "out").iterdir()
    expected = [utils.dict_to_example({"number": number}).SerializeToString() for number in (1, 2)]
    assert sorted(read_records(file)) == expected
