"""From Parquet files to examples that TensorFlow reads, in TFX's splits."""

import bisect
import decimal
import hashlib
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import tensorflow as tf

from trainwright.data.example_writing.bad_records import RecordError
from trainwright.data.example_writing.parquet_columns import ColumnError
from trainwright.data.example_writing.parquet_reader import ParquetError
from trainwright.data.example_writing.parquet_to_examples import convert_parquet_to_examples
from trainwright.data.example_writing.splits import HashSplits
from trainwright.data.tfrecord import read_records

TRAIN_EVAL = HashSplits(buckets=(("train", 2), ("eval", 1)))


def write(path, columns, **options):
    pq.write_table(pa.table(columns), path, **options)
    return path


def shards(output_dir, split):
    return sorted((Path(output_dir) / f"Split-{split}").iterdir())


def records(output_dir, split):
    return [record for shard in shards(output_dir, split) for record in read_records(shard)]


def written_files(output_dir):
    return {
        str(path.relative_to(output_dir)): path.read_bytes()
        for path in sorted(Path(output_dir).rglob("*.gz"))
    }


def example_by_tfx_rule(row):
    """What TFX's parquet executor makes of a row."""
    example = tf.train.Example()
    for name, value in row.items():
        feature = example.features.feature[name]
        values = value if isinstance(value, list) else [value]
        if value is None or not values:
            feature.SetInParent()
        elif isinstance(values[0], int):
            feature.int64_list.value.extend(map(int, values))
        elif isinstance(values[0], float):
            feature.float_list.value.extend(values)
        else:
            feature.bytes_list.value.extend(item.encode() for item in values)
    return example.SerializeToString(deterministic=True)


def tfx_split(key):
    bucket = int(hashlib.sha256(key).hexdigest(), 16) % 3
    return ("train", "eval")[bisect.bisect([2, 3], bucket)]


@pytest.fixture
def table():
    numbers = range(3000)
    return pa.table(
        {
            "id": pa.array(numbers, pa.int32()),
            "flag": pa.array([number % 3 == 0 for number in numbers]),
            "ratio": pa.array([None if number % 7 == 0 else number / 7 for number in numbers]),
            "city": pa.array(
                [None if number % 5 == 0 else f"é{number % 11}" for number in numbers]
            ),
            "scores": pa.array([[number / 2] * (number % 4) for number in numbers]),
            "tags": pa.array([None if number % 2 else ["a", "bc"] for number in numbers]),
        }
    )


def test_rows_are_tfx_s_examples_in_tfx_s_splits(tmp_path, table):
    path = write(tmp_path / "rows.parquet", table)
    result = convert_parquet_to_examples(
        {"all": [path]}, tmp_path / "out", output_splits=TRAIN_EVAL
    )
    expected = [example_by_tfx_rule(row) for row in table.to_pylist()]
    for split in ("train", "eval"):
        own = [example for example in expected if tfx_split(example) == split]
        assert records(tmp_path / "out", split) == own
        assert result.rows[split] == len(own)


def test_output_does_not_depend_on_the_number_of_processes(tmp_path, table):
    paths = [
        write(tmp_path / "one.parquet", table, row_group_size=100),
        write(tmp_path / "two.parquet", table.slice(1000, 500), compression="gzip"),
    ]
    outputs = []
    for processes in (1, 2, 3):
        result = convert_parquet_to_examples(
            {"all": paths},
            tmp_path / str(processes),
            output_splits=TRAIN_EVAL,
            processes=processes,
            block_bytes=10_000,
            inline_bytes=0,
        )
        assert sum(result.rows.values()) == 3500
        assert result.shards["train"] > 3
        outputs.append(written_files(tmp_path / str(processes)))
    assert outputs[0] == outputs[1] == outputs[2]


def test_tensorflow_puts_nested_lists_together_again(tmp_path):
    rows = [[[[1], []], [[2, 3]]], [], [[], [[4]]], None]
    path = write(
        tmp_path / "f.parquet", {"x": pa.array(rows), "y": pa.array([[[1.5]], [], [[], [2]], None])}
    )
    convert_parquet_to_examples({"all": [path]}, tmp_path / "out")
    row_lengths = tf.io.RaggedFeature.RowLengths
    parsed = tf.io.parse_example(
        records(tmp_path / "out", "all"),
        {
            "x": tf.io.RaggedFeature(
                tf.int64,
                value_key="x",
                partitions=[row_lengths("x_row_lengths_1"), row_lengths("x_row_lengths_2")],
            ),
            "y": tf.io.RaggedFeature(
                tf.float32, value_key="y", partitions=[row_lengths("y_row_lengths_1")]
            ),
        },
    )
    assert parsed["x"].to_list() == [row or [] for row in rows]
    assert parsed["y"].to_list() == [[[1.5]], [], [[], [2.0]], []]


def test_a_schema_reads_nested_lists(tmp_path):
    from google.protobuf import text_format
    from tensorflow_metadata.proto.v0 import schema_pb2

    from trainwright.data.dataset_options import TensorFlowDatasetOptions
    from trainwright.data.example_reading.example_files import ExampleFiles

    path = write(tmp_path / "f.parquet", {"x": pa.array([[[1], [2, 3]], [[], [4]]])})
    convert_parquet_to_examples({"all": [path]}, tmp_path / "out")
    schema = text_format.Parse(
        """
        feature { name: "x" type: INT }
        feature { name: "x_row_lengths_1" type: INT }
        tensor_representation_group {
          key: ""
          value {
            tensor_representation {
              key: "x"
              value {
                ragged_tensor {
                  feature_path { step: "x" }
                  partition { row_length: "x_row_lengths_1" }
                }
              }
            }
          }
        }
        """,
        schema_pb2.Schema(),
    )
    options = TensorFlowDatasetOptions(batch_size=2, num_epochs=1, shuffle=False)
    [batch] = ExampleFiles.matching(
        str(tmp_path / "out" / "Split-all" / "*"), schema=schema
    ).tf_dataset(options)
    assert batch["x"].to_list() == [[[1], [2, 3]], [[], [4]]]


def test_several_files_and_splits(tmp_path):
    one = write(tmp_path / "1.parquet", {"id": pa.array([1, 2]), "x": pa.nulls(2)})
    two = write(tmp_path / "2.parquet", {"x": pa.array(["a"]), "id": pa.array([3], pa.int8())})
    result = convert_parquet_to_examples({"train": [one, two], "eval": [two]}, tmp_path / "out")
    assert result.rows == {"train": 3, "eval": 1}
    expected = [{"id": 1, "x": None}, {"id": 2, "x": None}, {"id": 3, "x": "a"}]
    assert records(tmp_path / "out", "train") == [example_by_tfx_rule(row) for row in expected]


@pytest.mark.parametrize("kind", ["scalar", "list"])
def test_rows_are_partitioned_by_a_feature(tmp_path, kind):
    users = [f"user {number % 7}" for number in range(100)]
    column = pa.array([[user] for user in users] if kind == "list" else users)
    path = write(tmp_path / "f.parquet", {"user": column, "id": pa.array(range(100))})
    convert_parquet_to_examples(
        {"all": [path]},
        tmp_path / "out",
        output_splits=HashSplits(buckets=(("train", 2), ("eval", 1)), partition_feature="user"),
    )
    for split in ("train", "eval"):
        for record in records(tmp_path / "out", split):
            feature = tf.train.Example.FromString(record).features.feature["user"]
            assert tfx_split(feature.SerializeToString(deterministic=True)) == split


@pytest.mark.parametrize(
    ("feature", "error", "complaint"),
    [
        ("usr", ColumnError, "has no column 'usr' to partition by; did you mean 'user'?"),
        ("ratio", ColumnError, "'ratio' is a float column: only bytes and int64"),
        ("nothing", ColumnError, "'nothing' does not contain any value"),
        ("user", RecordError, "f.parquet, row 2: the partition feature 'user' has no value"),
        ("list", RecordError, "f.parquet, row 3: the partition feature 'list' has no value"),
    ],
)
def test_a_partition_feature_that_cannot_be_used(tmp_path, feature, error, complaint):
    columns = {
        "user": pa.array(["a", None, "b"]),
        "list": pa.array([[1], [2], []]),
        "ratio": pa.array([0.5, 1, 2]),
        "nothing": pa.nulls(3),
    }
    path = write(tmp_path / "f.parquet", columns)
    with pytest.raises(error) as raised:
        convert_parquet_to_examples(
            {"all": [path]},
            tmp_path / "out",
            output_splits=HashSplits(buckets=(("a", 1), ("b", 1)), partition_feature=feature),
        )
    assert complaint in str(raised.value)


def test_a_type_that_has_no_place_is_found_before_anything_is_written(tmp_path):
    one = write(tmp_path / "1.parquet", {"id": pa.array([1])})
    two = write(
        tmp_path / "2.parquet",
        {"id": pa.array([1]), "m": pa.array([[("a", 1)]], pa.map_(pa.string(), pa.int64()))},
    )
    with pytest.raises(ColumnError, match=r"2\.parquet: the column 'm' has the type map<string"):
        convert_parquet_to_examples({"all": [one, two]}, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_files_that_do_not_agree_are_found_before_anything_is_written(tmp_path):
    one = write(tmp_path / "1.parquet", {"id": pa.array([1])})
    two = write(tmp_path / "2.parquet", {"id": pa.array(["x"])})
    with pytest.raises(ColumnError) as raised:
        convert_parquet_to_examples({"all": [one, two]}, tmp_path / "out")
    assert f"The column 'id' is int64 in {one}, but binary in {two}" in str(raised.value)
    assert not (tmp_path / "out").exists()


def test_numbers_that_become_infinite_are_told_with_a_row(tmp_path):
    columns = {
        "far": pa.array([1.5, None, 1e300, float("inf"), -1e39]),
        "lists": pa.array([[1.0], [2.0, 1e40], [], [3e38], [float("-inf")]]),
        "near": pa.array([3e38, 1e-300, float("nan"), float("inf"), 0.0]),
        "decimals": pa.array([decimal.Decimal(10) ** 50] + [None] * 4, pa.decimal256(60, 2)),
    }
    path = write(tmp_path / "f.parquet", columns)
    written = convert_parquet_to_examples({"all": [path]}, tmp_path / "out")
    decimals, far, lists = written.remarks
    assert "Feature 'far': 2 numbers are too large for float32" in far
    assert f"became infinite: for example 1e+300 in {path}, row 3." in far
    assert "Feature 'lists': 1 number is" in lists
    assert f"for example 1e+40 in {path}, row 2." in lists
    assert f"{path}, row 1." in decimals


def test_no_rows(tmp_path):
    path = write(tmp_path / "f.parquet", {"id": pa.array([], pa.int64())})
    with pytest.raises(ParquetError, match=r"f\.parquet: there are no rows"):
        convert_parquet_to_examples({"all": [path]}, tmp_path / "out")


@pytest.mark.parametrize("content", [b"", b"id,name\n1,a\n", b"PAR1 and more PAR1"])
def test_another_file_is_named(tmp_path, content):
    path = tmp_path / "f.csv"
    path.write_bytes(content)
    with pytest.raises(
        ParquetError, match=r"f\.csv cannot be read as Parquet: .*[^.]\. If it is no"
    ):
        convert_parquet_to_examples({"all": [path]}, tmp_path / "out")


def test_a_damaged_file_is_named_with_the_row(tmp_path, table):
    path = write(tmp_path / "f.parquet", table, compression="gzip", row_group_size=1000)
    data = bytearray(path.read_bytes())
    data[len(data) // 2 : len(data) // 2 + 2000] = b"\0" * 2000
    path.write_bytes(data)
    with pytest.raises(ParquetError, match=r"f\.parquet cannot be read from row \d+ on: "):
        convert_parquet_to_examples({"all": [path]}, tmp_path / "out")


def test_long_lists_are_read_in_small_batches(tmp_path):
    column = pa.array([[0.5] * 10_000] * 1000, pa.list_(pa.float32()))
    path = write(tmp_path / "f.parquet", {"embedding": column}, use_dictionary=False)
    reports = []
    result = convert_parquet_to_examples(
        {"all": [path]}, tmp_path / "out", processes=1, report_progress=reports.append
    )
    assert result.rows == {"all": 1000}
    assert max(after - before for before, after in zip([0, *reports], reports)) < 600
