"""Parquet files are divided row by row, as TFX divides them, and stay Parquet."""

import bisect
import hashlib
import pickle
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet
import pytest

from trainwright.components import ImportExampleGen
from trainwright.components.example_gen.import_example_gen.executor import Executor
from trainwright.data.example_writing.parquet_splits import divide_parquet
from trainwright.data.example_writing.splits import HashSplits
from trainwright.proto import example_gen_pb2
from trainwright.types.standard_artifacts import Examples

ROWS = [{"number": number, "text": f"row {number}", "list": [0.5]} for number in range(50)]
SPLITS = HashSplits(buckets=(("train", 2), ("eval", 1)))


@pytest.fixture
def path(tmp_path):
    (tmp_path / "data").mkdir()
    pyarrow.parquet.write_table(pa.Table.from_pylist(ROWS), tmp_path / "data" / "a.parquet")
    return str(tmp_path / "data" / "a.parquet")


def rows(uri, split):
    [file] = Path(uri, f"Split-{split}").iterdir()
    assert file.name == "data_parquet-00000-of-00001.parquet"
    return pyarrow.parquet.read_table(file).to_pylist()


def tfx_split(row):
    bucket = int(hashlib.sha256(pickle.dumps(row, 4)).hexdigest(), 16) % 3
    return ("train", "eval")[bisect.bisect([2, 3], bucket)]


def test_rows_go_where_tfx_puts_them(path, tmp_path):
    written = divide_parquet({"all": [path]}, str(tmp_path / "out"), output_splits=SPLITS)
    for split in ("train", "eval"):
        expected = [row for row in ROWS if tfx_split(row) == split]
        assert rows(tmp_path / "out", split) == expected
        assert written.rows[split] == len(expected)


def test_import_example_gen_keeps_parquet(path, tmp_path):
    node = ImportExampleGen(str(Path(path).parent), payload_format=example_gen_pb2.FORMAT_PARQUET)
    examples = Examples()
    examples.uri = str(tmp_path / "out")
    Executor().Do({}, {"examples": [examples]}, dict(node.exec_properties))
    assert len(rows(examples.uri, "train")) + len(rows(examples.uri, "eval")) == len(ROWS)
    assert examples.get_string_custom_property("payload_format") == "FORMAT_PARQUET"
    assert examples.get_string_custom_property("file_format") == "FILE_FORMAT_PARQUET"


def test_files_of_different_columns_and_partition_features_are_refused(path, tmp_path):
    other = str(tmp_path / "b.parquet")
    pyarrow.parquet.write_table(pa.table({"number": [1]}), other)
    with pytest.raises(ValueError, match=r"b\.parquet has other columns"):
        divide_parquet({"all": [path, other]}, str(tmp_path / "out"))
    with pytest.raises(ValueError, match="have no features to partition by"):
        ImportExampleGen(
            "data",
            payload_format=example_gen_pb2.FORMAT_PARQUET,
            output_config={"split_config": {"partition_feature_name": "number"}},
        )
