"""Our datasets and record batches beside those of tfx_bsl."""

import pytest
import tensorflow as tf
from google.protobuf import text_format
from tensorflow_metadata.proto.v0 import schema_pb2
from tfx_bsl.public import tfxio
from tfx_bsl.tfxio import tensor_representation_util

from trainwright.data.dataset_options import RecordBatchesOptions, TensorFlowDatasetOptions
from trainwright.data.example_reading.example_files import ExampleFiles
from trainwright.data.feature_spec import tensor_representations
from trainwright.proto import example_gen_pb2

pytestmark = pytest.mark.reference

ROWS = 23

REQUIRED = "presence { min_fraction: 1 }"
SCHEMAS = {
    "fixed shapes": f"""
        feature {{ name: "int" type: INT {REQUIRED} shape {{}} }}
        feature {{ name: "float" type: FLOAT {REQUIRED} shape {{ dim {{ size: 1 }} }} }}
        feature {{ name: "matrix" type: FLOAT {REQUIRED}
                   shape {{ dim {{ size: 2 }} dim {{ size: 2 }} }} }}
        feature {{ name: "bytes" type: BYTES {REQUIRED} shape {{}} }}
        """,
    "small integers and booleans": f"""
        feature {{ name: "int" type: INT {REQUIRED} shape {{}} int_domain {{ min: 0 max: 255 }} }}
        feature {{ name: "flag" type: INT bool_domain {{}} {REQUIRED} shape {{}} }}
        """,
    "optional": """
        feature { name: "int" type: INT presence { min_fraction: 0.5 } }
        feature { name: "tags" type: BYTES value_count { min: 0 max: 3 } }
        feature { name: "absent" type: FLOAT value_count { min: 1 max: 1 } }
        """,
    "out of use": """
        feature { name: "int" type: INT }
        feature { name: "tags" type: BYTES deprecated: true }
        feature { name: "float" type: FLOAT lifecycle_stage: ALPHA }
        """,
    "variable length as ragged": """
        feature { name: "tags" type: BYTES }
        feature { name: "int" type: INT }
        represent_variable_length_as_ragged: true
        """,
    "sparse": """
        feature { name: "row" type: INT int_domain { min: 0 max: 99 } }
        feature { name: "column" type: INT int_domain { min: 0 max: 9 } }
        feature { name: "weight" type: FLOAT }
        feature { name: "int" type: INT }
        sparse_feature {
          name: "grid"
          index_feature { name: "row" } index_feature { name: "column" }
          value_feature { name: "weight" }
        }
        """,
    "explicit representations": """
        feature { name: "int" type: INT }
        feature { name: "absent" type: FLOAT }
        feature { name: "tags" type: BYTES }
        feature { name: "matrix" type: FLOAT }
        feature { name: "lengths" type: INT }
        feature { name: "float" type: FLOAT }
        tensor_representation_group {
          key: ""
          value {
            tensor_representation {
              key: "renamed" value { dense_tensor { column_name: "int" shape {} } }
            }
            tensor_representation {
              key: "filled"
              value {
                dense_tensor {
                  column_name: "absent" shape { dim { size: 2 } }
                  default_value { float_value: 0.5 }
                }
              }
            }
            tensor_representation {
              key: "words" value { ragged_tensor { feature_path { step: "tags" } } }
            }
            tensor_representation {
              key: "nested"
              value {
                ragged_tensor {
                  feature_path { step: "matrix" }
                  partition { row_length: "lengths" }
                  row_partition_dtype: INT32
                }
              }
            }
          }
        }
        """,
}


def parse(text):
    return text_format.Parse(text, schema_pb2.Schema())


def feature(values):
    if values and isinstance(values[0], bytes):
        return tf.train.Feature(bytes_list=tf.train.BytesList(value=values))
    if values and isinstance(values[0], float):
        return tf.train.Feature(float_list=tf.train.FloatList(value=values))
    return tf.train.Feature(int64_list=tf.train.Int64List(value=values))


def columns(i):
    count = i % 4
    return {
        "int": [i],
        "flag": [i % 2],
        "float": [i / 2],
        "matrix": [float(i), 1.0, 2.0, 3.0],
        "lengths": [1, 3],
        "bytes": [b"bytes %d" % i],
        "tags": [b"tag %d" % n for n in range(count)] or [b"none"],
        "row": [10 * n + count for n in range(count)],
        "column": list(range(count)),
        "weight": [n + 0.5 for n in range(count)],
    }


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """One file: with several, the order in which tfx_bsl reads depends on the machine's cores."""
    path = tmp_path_factory.mktemp("examples") / "data.gz"
    with tf.io.TFRecordWriter(str(path), "GZIP") as writer:
        for i in range(ROWS):
            features = {name: feature(values) for name, values in columns(i).items() if len(values)}
            example = tf.train.Example(features=tf.train.Features(feature=features))
            writer.write(example.SerializeToString())
    return [str(path.parent / "*")]


@pytest.fixture(params=SCHEMAS.values(), ids=SCHEMAS.keys())
def schema(request):
    return parse(request.param)


def assert_same_tensor(ours, theirs):
    assert type(ours) is type(theirs)
    assert ours.dtype == theirs.dtype
    # Sparse and ragged tensors are compared part by part, so that shapes and row splits count.
    for our_part, their_part in zip(
        tf.nest.flatten(ours, expand_composites=True),
        tf.nest.flatten(theirs, expand_composites=True),
        strict=True,
    ):
        assert our_part.dtype == their_part.dtype
        assert our_part.numpy().tolist() == their_part.numpy().tolist()


def make_tf_dataset(patterns, options, schema=None, **how):
    return ExampleFiles.matching(patterns, schema=schema, **how).tf_dataset(options)


def assert_same_dataset(ours, theirs):
    assert ours.element_spec == theirs.element_spec
    our_batches, their_batches = list(ours), list(theirs)
    assert len(our_batches) == len(their_batches) > 0
    for our_batch, their_batch in zip(our_batches, their_batches, strict=True):
        tf.nest.assert_same_structure(our_batch, their_batch)
        for our_tensor, their_tensor in zip(
            tf.nest.flatten(our_batch), tf.nest.flatten(their_batch), strict=True
        ):
            assert_same_tensor(our_tensor, their_tensor)


@pytest.mark.parametrize(
    "settings",
    [{"num_epochs": 1}, {"num_epochs": 2}, {"num_epochs": 2, "drop_final_batch": True}],
    ids=str,
)
def test_datasets_are_the_same(files, schema, settings):
    ours = make_tf_dataset(files, TensorFlowDatasetOptions(10, shuffle=False, **settings), schema)
    theirs = tfxio.TFExampleRecord(files, schema=schema).TensorFlowDataset(
        tfxio.TensorFlowDatasetOptions(10, shuffle=False, **settings)
    )
    assert_same_dataset(ours, theirs)


def test_datasets_that_repeat_are_the_same(files, schema):
    options = tfxio.TensorFlowDatasetOptions(10, shuffle=False)
    ours = make_tf_dataset(files, options, schema)
    theirs = tfxio.TFExampleRecord(files, schema=schema).TensorFlowDataset(options)
    assert_same_dataset(ours.take(8), theirs.take(8))


@pytest.mark.parametrize("label", ["int", "matrix", "bytes"])
def test_labels_are_the_same(files, label):
    schema = parse(SCHEMAS["fixed shapes"])
    options = tfxio.TensorFlowDatasetOptions(10, num_epochs=1, shuffle=False, label_key=label)
    ours = make_tf_dataset(files, options, schema)
    theirs = tfxio.TFExampleRecord(files, schema=schema).TensorFlowDataset(options)
    assert_same_dataset(ours, theirs)


def test_one_files_records_are_shuffled_alike(files):
    schema = parse(SCHEMAS["fixed shapes"])
    options = tfxio.TensorFlowDatasetOptions(10, num_epochs=2, shuffle_seed=42)
    ours = make_tf_dataset(files, options, schema)
    theirs = tfxio.TFExampleRecord(files, schema=schema).TensorFlowDataset(options)
    assert_same_dataset(ours, theirs)


def test_tensor_representations_are_the_same(schema):
    expected = tensor_representation_util.InferTensorRepresentationsFromMixedSchema(schema)
    assert tensor_representations(schema) == expected


def test_record_batches_are_the_same(files, schema):
    settings = {"batch_size": 10, "num_epochs": 1, "shuffle": False}
    ours = list(
        ExampleFiles.matching(files, schema=schema).record_batches(RecordBatchesOptions(**settings))
    )
    theirs = tfxio.TFExampleRecord(files, schema=schema).RecordBatches(
        tfxio.RecordBatchesOptions(**settings)
    )
    for our_batch, their_batch in zip(ours, theirs, strict=True):
        assert our_batch.equals(their_batch)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (TensorFlowDatasetOptions, tfxio.TensorFlowDatasetOptions),
        (RecordBatchesOptions, tfxio.RecordBatchesOptions),
    ],
)
def test_options_have_the_same_fields_and_defaults(ours, theirs):
    assert ours._fields == theirs._fields
    assert tuple(ours(7)) == tuple(theirs(7))


def test_sequence_examples_are_the_same(tmp_path):
    schema = parse(
        """
        feature { name: "user" type: BYTES }
        feature { name: "age" type: INT }
        feature {
          name: "##SEQUENCE##" type: STRUCT
          struct_domain {
            feature { name: "clicks" type: INT } feature { name: "prices" type: FLOAT }
          }
        }
        """
    )
    group = schema.tensor_representation_group[""].tensor_representation
    group["user"].varlen_sparse_tensor.column_name = "user"
    group["age"].dense_tensor.column_name = "age"
    for name in ("clicks", "prices"):
        group[name].ragged_tensor.feature_path.step.extend(["##SEQUENCE##", name])
    with tf.io.TFRecordWriter(str(tmp_path / "data.gz"), "GZIP") as writer:
        for i in range(ROWS):
            context = {"age": feature([i])}
            if i % 3:
                context["user"] = feature([b"a"] * (i % 3))
            lists = {
                "clicks": [feature([i] * (n % 2)) for n in range(i % 4)],
                "prices": [feature([n / 2, 1.5]) for n in range(i % 3)],
            }
            example = tf.train.SequenceExample(
                context=tf.train.Features(feature=context),
                feature_lists=tf.train.FeatureLists(
                    feature_list={
                        name: tf.train.FeatureList(feature=steps) for name, steps in lists.items()
                    }
                ),
            )
            writer.write(example.SerializeToString())

    pattern = str(tmp_path / "*")
    options = tfxio.TensorFlowDatasetOptions(10, num_epochs=1, shuffle=False, label_key="age")
    ours = make_tf_dataset(
        pattern,
        options,
        schema,
        payload_format=example_gen_pb2.FORMAT_TF_SEQUENCE_EXAMPLE,
    )
    theirs = tfxio.TFSequenceExampleRecord(
        pattern, telemetry_descriptors=[], schema=schema
    ).TensorFlowDataset(options)
    assert_same_dataset(ours, theirs)
