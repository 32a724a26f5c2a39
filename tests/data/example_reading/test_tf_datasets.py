"""From example files to batches of tensors."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import tensorflow as tf
from google.protobuf import text_format
from tensorflow_metadata.proto.v0 import schema_pb2

from trainwright.data.dataset_options import TensorFlowDatasetOptions
from trainwright.data.example_reading.example_files import ExampleFiles
from trainwright.proto import example_gen_pb2

SCHEMA = text_format.Parse(
    """
    feature { name: "id" type: INT presence { min_fraction: 1 } shape {} }
    feature { name: "tags" type: BYTES }
    """,
    schema_pb2.Schema(),
)
SEQUENCE_SCHEMA = text_format.Parse(
    """
    feature { name: "id" type: INT presence { min_fraction: 1 } shape {} }
    feature {
      name: "##SEQUENCE##" type: STRUCT
      struct_domain { feature { name: "clicks" type: INT } }
    }
    """,
    schema_pb2.Schema(),
)


def make_tf_dataset(patterns, options, schema=None, **how):
    return ExampleFiles.matching(patterns, schema=schema, **how).tf_dataset(options)


def ints(*values):
    return tf.train.Feature(int64_list=tf.train.Int64List(value=values))


def tags(*values):
    return tf.train.Feature(bytes_list=tf.train.BytesList(value=values))


def write(path, ids):
    with tf.io.TFRecordWriter(str(path), "GZIP" if path.suffix == ".gz" else "") as writer:
        for i in ids:
            features = {"id": ints(i), "tags": tags(*[b"tag"] * (i % 3))}
            example = tf.train.Example(features=tf.train.Features(feature=features))
            writer.write(example.SerializeToString())


@pytest.fixture
def files(tmp_path):
    """Four shards of 25 records, by number."""
    for shard in range(4):
        write(tmp_path / f"data-{shard}.gz", range(25 * shard, 25 * shard + 25))
    return str(tmp_path / "data-*")


def options(batch_size=10, **settings):
    return TensorFlowDatasetOptions(batch_size, **{"num_epochs": 1, **settings})


def ids(dataset):
    return np.concatenate([batch["id"].numpy() for batch in dataset]).tolist()


def test_elements_are_batches_of_tensors_by_name(files):
    dataset = make_tf_dataset([files], options(shuffle=False), SCHEMA)
    assert dataset.element_spec == {
        "id": tf.TensorSpec([None], tf.int64),
        "tags": tf.SparseTensorSpec([None, None], tf.string),
    }
    first = next(iter(dataset))
    assert first["id"].numpy().tolist() == list(range(10))
    assert tf.sparse.to_dense(first["tags"]).numpy()[:3].tolist() == [
        [b"", b""],
        [b"tag", b""],
        [b"tag", b"tag"],
    ]


def test_without_shuffling_every_record_comes_once_and_in_one_order(files):
    read = ids(make_tf_dataset(files, options(shuffle=False), SCHEMA))
    assert sorted(read) == list(range(100))
    assert read == ids(make_tf_dataset(files, options(64, shuffle=False), SCHEMA))


def test_files_are_interleaved(tmp_path):
    write(tmp_path / "a", range(1000))
    write(tmp_path / "b", range(1000, 2000))
    read = ids(make_tf_dataset(str(tmp_path / "*"), options(shuffle=False), SCHEMA))
    assert sorted(read) == list(range(2000))
    assert {i // 1000 for i in read[:200]} == {0, 1}


def test_the_label_is_split_off(files):
    dataset = make_tf_dataset(files, options(label_key="id", shuffle=False), SCHEMA)
    features, label = next(iter(dataset))
    assert list(features) == ["tags"]
    assert label.numpy().tolist() == list(range(10))


def test_an_unknown_label_is_refused_with_a_guess(files):
    with pytest.raises(ValueError, match="label_key 'tag' .* did you mean 'tags'"):
        make_tf_dataset(files, options(label_key="tag"), SCHEMA)


@pytest.mark.parametrize(
    ("settings", "batches", "last"),
    [
        ({"num_epochs": 1}, 4, 10),
        ({"num_epochs": 1, "drop_final_batch": True}, 3, 30),
        ({"num_epochs": 2}, 7, 20),
    ],
)
def test_epochs_and_the_final_batch(files, settings, batches, last):
    sizes = [len(b["id"]) for b in make_tf_dataset(files, options(30, **settings), SCHEMA)]
    assert (len(sizes), sizes[-1]) == (batches, last)


def test_without_a_number_of_epochs_the_data_repeat_in_full_batches(files):
    dataset = make_tf_dataset(files, TensorFlowDatasetOptions(30, shuffle=False), SCHEMA)
    assert dataset.element_spec["id"].shape == [30]
    assert dataset.element_spec["tags"].shape.as_list() == [30, None]
    assert not dataset.options().autotune.enabled, "the end of an epoch would wait for the tuner"
    read = ids(dataset.take(10))
    assert len(read) == 300
    assert read[:100] == read[100:200] == read[200:]


def test_a_seed_gives_one_order_and_each_epoch_its_own(files):
    settings = options(num_epochs=2, shuffle_seed=7)
    first, second = (ids(make_tf_dataset(files, settings, SCHEMA)) for _ in range(2))
    assert first == second
    assert sorted(first[:100]) == sorted(first[100:]) == list(range(100))
    assert first[:100] != first[100:]
    other = ids(make_tf_dataset(files, options(num_epochs=2, shuffle_seed=8), SCHEMA))
    assert other != first


def test_files_are_shuffled_even_where_the_buffer_is_small(files):
    firsts = set()
    for seed in range(8):
        settings = options(shuffle_seed=seed, shuffle_buffer_size=1)
        firsts.add(ids(make_tf_dataset(files, settings, SCHEMA))[0])
    assert firsts <= {0, 25, 50, 75}
    assert len(firsts) > 1


@pytest.mark.parametrize(
    "settings",
    [
        {"reader_num_threads": 1, "parser_num_threads": 1, "prefetch_buffer_size": 1},
        {"reader_num_threads": 64, "parser_num_threads": 64, "prefetch_buffer_size": 64},
        {"prefetch_buffer_size": 0},
        {"sloppy_ordering": True},
    ],
)
def test_threads_and_buffers_do_not_change_what_is_read(files, settings):
    read = ids(make_tf_dataset(files, options(shuffle=False, **settings), SCHEMA))
    assert sorted(read) == list(range(100))
    if "sloppy_ordering" not in settings:
        assert read == ids(make_tf_dataset(files, options(shuffle=False), SCHEMA))


def test_gzip_and_plain_files_may_be_mixed(tmp_path):
    write(tmp_path / "a.gz", range(5))
    write(tmp_path / "b", range(5, 9))
    assert sorted(ids(make_tf_dataset(str(tmp_path / "*"), options(), SCHEMA))) == list(range(9))


def test_several_patterns_are_read_together(tmp_path):
    write(tmp_path / "a.gz", range(5))
    write(tmp_path / "b.gz", range(5, 9))
    patterns = [str(tmp_path / "a*"), str(tmp_path / "b*")]
    assert sorted(ids(make_tf_dataset(patterns, options(), SCHEMA))) == list(range(9))


def test_patterns_without_a_file_are_named(tmp_path, files, caplog):
    missing = str(tmp_path / "no-such-directory" / "*")
    with pytest.raises(ValueError, match="No file matches '.*no-such-directory/\\*'"):
        make_tf_dataset([missing], options(), SCHEMA)
    with pytest.raises(ValueError, match="No file matches an empty list"):
        make_tf_dataset([], options(), SCHEMA)

    assert len(ids(make_tf_dataset([missing, files], options(), SCHEMA))) == 100
    assert "no-such-directory" in caplog.text


def test_files_without_records_end_at_once(tmp_path):
    write(tmp_path / "empty.gz", [])
    dataset = make_tf_dataset(str(tmp_path / "*"), TensorFlowDatasetOptions(2), SCHEMA)
    assert list(dataset) == []


def test_a_missing_schema_is_asked_for(files):
    with pytest.raises(ValueError, match=r"parse_pbtxt_file\(fn_args.schema_path"):
        make_tf_dataset(files, options())


def test_a_record_that_does_not_fit_names_the_feature(files):
    schema = schema_pb2.Schema()
    schema.CopyFrom(SCHEMA)
    schema.feature[0].type = schema_pb2.FLOAT
    with pytest.raises(tf.errors.InvalidArgumentError, match="Key: id"):
        list(make_tf_dataset(files, options(), schema))


def test_a_tensor_gets_its_own_name_not_the_columns(files):
    schema = schema_pb2.Schema()
    schema.CopyFrom(SCHEMA)
    group = schema.tensor_representation_group[""].tensor_representation
    group["number"].dense_tensor.column_name = "id"
    group["labels"].ragged_tensor.feature_path.step.append("tags")
    batch = next(iter(make_tf_dataset(files, options(3, shuffle=False), schema)))
    assert batch["number"].numpy().tolist() == [0, 1, 2]
    assert batch["labels"].to_list() == [[], [b"tag"], [b"tag", b"tag"]]


def test_sequence_examples(tmp_path):
    with tf.io.TFRecordWriter(str(tmp_path / "data.gz"), "GZIP") as writer:
        for i in range(3):
            steps = tf.train.FeatureList(feature=[ints(*range(n)) for n in range(i + 1)])
            example = tf.train.SequenceExample(
                context=tf.train.Features(feature={"id": ints(i)}),
                feature_lists=tf.train.FeatureLists(feature_list={"clicks": steps}),
            )
            writer.write(example.SerializeToString())
    dataset = make_tf_dataset(
        str(tmp_path / "*"),
        options(3, shuffle=False, label_key="id"),
        SEQUENCE_SCHEMA,
        payload_format=example_gen_pb2.FORMAT_TF_SEQUENCE_EXAMPLE,
    )
    [(features, label)] = dataset
    assert label.numpy().tolist() == [0, 1, 2]
    clicks = features["##SEQUENCE##.clicks"]
    assert clicks.to_list() == [[[]], [[], [0]], [[], [0], [0, 1]]]


@pytest.mark.parametrize(
    ("payload_format", "name"),
    [
        (example_gen_pb2.FORMAT_PROTO, "FORMAT_PROTO"),
        (99, "an unknown format \\(99\\)"),
    ],
)
def test_other_formats_are_refused_with_what_can_be_read(files, payload_format, name):
    with pytest.raises(ValueError, match=f"are in {name}.* Expected one of FORMAT_TF_EXAMPLE"):
        make_tf_dataset(files, options(), SCHEMA, payload_format=payload_format)


@pytest.fixture
def parquet_files(tmp_path):
    """The rows of `files`, as Parquet."""
    for shard in range(4):
        numbers = range(25 * shard, 25 * shard + 25)
        table = pa.table({"id": list(numbers), "tags": [[b"tag"] * (i % 3) for i in numbers]})
        pq.write_table(table, tmp_path / f"rows-{shard}.parquet")
    return str(tmp_path / "rows-*")


@pytest.mark.parametrize(
    "settings",
    [
        {"shuffle": False},
        {"shuffle_seed": 7, "num_epochs": 2},
        {"shuffle": False, "drop_final_batch": True, "batch_size": 30, "label_key": "id"},
    ],
)
def test_parquet_gives_what_tfrecords_give(files, parquet_files, settings):
    expected = list(make_tf_dataset(files, options(**settings), SCHEMA))
    found = list(
        make_tf_dataset(
            parquet_files,
            options(**settings),
            SCHEMA,
            payload_format=example_gen_pb2.FORMAT_PARQUET,
        )
    )
    assert len(found) == len(expected)
    for ours, theirs in zip(found, expected, strict=True):
        flat = [tf.nest.flatten(one, expand_composites=True) for one in (ours, theirs)]
        for one, other in zip(*flat, strict=True):
            np.testing.assert_array_equal(one, other)


def test_a_damaged_parquet_file_is_named(tmp_path):
    (tmp_path / "rows.parquet").write_bytes(b"PAR1 and no more")
    dataset = make_tf_dataset(
        str(tmp_path / "*"), options(), SCHEMA, payload_format=example_gen_pb2.FORMAT_PARQUET
    )
    with pytest.raises(tf.errors.OpError, match=r"rows\.parquet cannot be read as Parquet"):
        list(dataset)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", "no features"),
        ('feature { name: "id" type: INT lifecycle_stage: PLANNED }', "only features that are not"),
    ],
)
@pytest.mark.parametrize(
    "payload_format",
    [example_gen_pb2.FORMAT_TF_EXAMPLE, example_gen_pb2.FORMAT_TF_SEQUENCE_EXAMPLE],
)
def test_a_schema_without_features_is_told(files, text, found, payload_format):
    schema = text_format.Parse(text, schema_pb2.Schema())
    with pytest.raises(ValueError, match=f"The schema has {found}.*SchemaGen"):
        make_tf_dataset(files, options(), schema, payload_format=payload_format)


def test_it_can_be_built_in_a_graph(files):
    """As an Estimator's input_fn builds it."""
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        dataset = make_tf_dataset(files, options(shuffle=False), SCHEMA)
        batch = tf.compat.v1.data.make_one_shot_iterator(dataset).get_next()
        assert session.run(batch["id"]).tolist() == list(range(10))
