"""From TFRecord files to Arrow record batches."""

import sys

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import tensorflow as tf
from google.protobuf import text_format
from tensorflow_metadata.proto.v0 import schema_pb2

from trainwright.data.dataset_options import RecordBatchesOptions
from trainwright.data.example_reading.example_files import ExampleFiles
from trainwright.proto import example_gen_pb2

SCHEMA = text_format.Parse('feature { name: "id" type: INT }', schema_pb2.Schema())


def make_record_batches(patterns, options, schema=None, **how):
    return ExampleFiles.matching(patterns, schema=schema, **how).record_batches(options)


@pytest.fixture
def files(tmp_path):
    with tf.io.TFRecordWriter(str(tmp_path / "data.gz"), "GZIP") as writer:
        for i in range(25):
            numbers = tf.train.Feature(int64_list=tf.train.Int64List(value=[i] * (i % 3)))
            name = tf.train.Feature(bytes_list=tf.train.BytesList(value=[b"name"]))
            features = tf.train.Features(feature={"id": numbers, "name": name})
            writer.write(tf.train.Example(features=features).SerializeToString())
    return str(tmp_path / "*")


def options(**settings):
    return RecordBatchesOptions(10, **{"num_epochs": 1, "shuffle": False, **settings})


def test_batches_have_the_schemas_columns(files):
    batches = list(make_record_batches([files], options(), SCHEMA))
    assert [batch.num_rows for batch in batches] == [10, 10, 5]
    assert batches[0].schema.names == ["id"]
    assert batches[0].column(0).to_pylist()[:4] == [[], [1], [2, 2], []]


def test_without_a_schema_batches_have_the_records_columns(files):
    batch = next(make_record_batches(files, options()))
    assert sorted(batch.schema.names) == ["id", "name"]


def test_epochs_shuffling_and_the_final_batch(files):
    settings = options(num_epochs=2, drop_final_batch=True, shuffle=True, shuffle_seed=1)
    batches = list(make_record_batches(files, settings, SCHEMA))
    assert [batch.num_rows for batch in batches] == [10] * 5
    assert batches == list(make_record_batches(files, settings, SCHEMA))
    assert batches != list(make_record_batches(files, options(num_epochs=2), SCHEMA))


def test_sequence_examples_have_their_sequences_in_a_struct(tmp_path):
    steps = tf.train.FeatureList(
        feature=[tf.train.Feature(int64_list=tf.train.Int64List(value=[1, 2]))]
    )
    example = tf.train.SequenceExample(
        feature_lists=tf.train.FeatureLists(feature_list={"clicks": steps})
    )
    with tf.io.TFRecordWriter(str(tmp_path / "data")) as writer:
        writer.write(example.SerializeToString())
    [batch] = make_record_batches(
        str(tmp_path / "*"),
        options(),
        payload_format=example_gen_pb2.FORMAT_TF_SEQUENCE_EXAMPLE,
    )
    assert batch.to_pylist() == [{"##SEQUENCE##": {"clicks": [[1, 2]]}}]


def test_missing_files_are_noticed_by_the_call(tmp_path):
    with pytest.raises(ValueError, match="No file matches"):
        make_record_batches(str(tmp_path / "none*"), options(), SCHEMA)


def test_other_formats_are_refused(files):
    with pytest.raises(ValueError, match="are in FORMAT_PROTO, and no DataView is bound"):
        make_record_batches(files, options(), payload_format=example_gen_pb2.FORMAT_PROTO)


def test_parquet_gives_what_tfrecords_give(files, tmp_path):
    rows = [{"id": [i] * (i % 3), "name": b"name"} for i in range(25)]
    (tmp_path / "rows").mkdir()
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "rows" / "data.parquet")
    pattern = str(tmp_path / "rows" / "*")
    for schema in (SCHEMA, None):
        found = make_record_batches(
            pattern, options(), schema, payload_format=example_gen_pb2.FORMAT_PARQUET
        )
        expected = make_record_batches(str(tmp_path / "*.gz"), options(), schema)
        assert [batch.to_pydict() for batch in found] == [batch.to_pydict() for batch in expected]


def test_without_tfx_bsl_the_error_says_what_to_install(files, monkeypatch):
    for module in ["tfx_bsl", "tfx_bsl.coders", "tfx_bsl.coders.example_coder"]:
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ImportError, match=r"pip install 'trainwright\[transform\]'"):
        make_record_batches(files, options(), SCHEMA)
