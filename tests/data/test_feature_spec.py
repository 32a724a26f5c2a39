"""From schemas to the features that tf.io parses."""

import subprocess
import sys

import pytest
import tensorflow as tf
from google.protobuf import text_format
from tensorflow_metadata.proto.v0 import schema_pb2

from trainwright.data.feature_spec import (
    example_parser_spec,
    schema_to_feature_spec,
    sequence_example_parser_specs,
    tensor_representations,
)


def parse(text, **representations):
    """A schema from text, with tensor representations by name."""
    schema = text_format.Parse(text, schema_pb2.Schema())
    for name, representation in representations.items():
        group = schema.tensor_representation_group[""]
        text_format.Parse(representation, group.tensor_representation[name])
    return schema


REQUIRED = "presence { min_fraction: 1 }"


@pytest.mark.parametrize(
    ("feature_type", "dtype"),
    [("INT", tf.int64), ("FLOAT", tf.float32), ("BYTES", tf.string)],
)
def test_a_fixed_shape_is_dense_and_anything_else_has_variable_length(feature_type, dtype):
    schema = parse(
        f"""
        feature {{ name: "scalar" type: {feature_type} {REQUIRED} shape {{}} }}
        feature {{ name: "matrix" type: {feature_type} {REQUIRED}
                   shape {{ dim {{ size: 2 }} dim {{ size: 3 }} }} }}
        feature {{ name: "counted" type: {feature_type} {REQUIRED}
                   value_count {{ min: 1 max: 1 }} }}
        feature {{ name: "optional" type: {feature_type} }}
        """
    )
    assert schema_to_feature_spec(schema) == {
        "scalar": tf.io.FixedLenFeature([], dtype),
        "matrix": tf.io.FixedLenFeature([2, 3], dtype),
        "counted": tf.io.VarLenFeature(dtype),
        "optional": tf.io.VarLenFeature(dtype),
    }


def test_variable_length_is_ragged_where_the_schema_says_so():
    schema = parse('feature { name: "x" type: INT } represent_variable_length_as_ragged: true')
    assert schema_to_feature_spec(schema) == {
        "x": tf.io.RaggedFeature(tf.int64, value_key="x", row_splits_dtype=tf.int64)
    }


@pytest.mark.parametrize(
    "retired",
    [
        "deprecated: true",
        "lifecycle_stage: PLANNED",
        "lifecycle_stage: ALPHA",
        "lifecycle_stage: DEPRECATED",
        "lifecycle_stage: DEBUG_ONLY",
        "lifecycle_stage: DISABLED",
        "lifecycle_stage: VALIDATION_DERIVED",
    ],
)
def test_features_that_are_not_in_use_are_not_read(retired):
    schema = parse(
        f"""
        feature {{ name: "kept" type: INT lifecycle_stage: BETA }}
        feature {{ name: "left" type: INT {retired} }}
        """
    )
    assert list(schema_to_feature_spec(schema)) == ["kept"]


SPARSE = """
    feature { name: "row" type: INT int_domain { min: 0 max: 9 } }
    feature { name: "column" type: INT int_domain { min: 0 max: 4 } }
    feature { name: "value" type: FLOAT }
    sparse_feature {
      name: "grid"
      index_feature { name: "row" } index_feature { name: "column" }
      value_feature { name: "value" }
    }
"""


def test_a_sparse_feature_takes_its_columns():
    assert schema_to_feature_spec(parse(SPARSE)) == {
        "grid": tf.io.SparseFeature(["row", "column"], "value", tf.float32, [10, 5])
    }


def test_a_sparse_feature_that_is_not_in_use_leaves_its_columns():
    schema = parse(SPARSE)
    schema.sparse_feature[0].lifecycle_stage = schema_pb2.PLANNED
    assert list(schema_to_feature_spec(schema)) == ["row", "column", "value"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('index_feature { name: "row" }', 'index_feature { name: "rwo" }', "did you mean 'row'"),
        ("min: 0 max: 9", "min: 1 max: 9", "'row' must have min: 0"),
        ("min: 0 max: 9", "min: 0", "'row' must have min: 0"),
    ],
)
def test_a_sparse_feature_without_a_shape_is_refused(old, new, message):
    with pytest.raises(ValueError, match=message):
        schema_to_feature_spec(parse(SPARSE.replace(old, new)))


def test_a_default_value_fills_the_whole_tensor():
    schema = parse(
        'feature { name: "x" type: INT shape { dim { size: 3 } } }',
        x='dense_tensor { column_name: "x" shape { dim { size: 3 } } '
        "default_value { int_value: 7 } }",
    )
    assert schema_to_feature_spec(schema) == {"x": tf.io.FixedLenFeature([3], tf.int64, [7, 7, 7])}


def test_a_ragged_tensor_has_its_partitions():
    schema = parse(
        'feature { name: "values" type: FLOAT } feature { name: "lengths" type: INT }',
        ragged='ragged_tensor { feature_path { step: "values" } '
        'partition { row_length: "lengths" } partition { uniform_row_length: 2 } '
        "row_partition_dtype: INT32 }",
    )
    assert schema_to_feature_spec(schema) == {
        "ragged": tf.io.RaggedFeature(
            tf.float32,
            value_key="values",
            partitions=[
                tf.io.RaggedFeature.RowLengths("lengths"),
                tf.io.RaggedFeature.UniformRowLength(2),
            ],
            row_splits_dtype=tf.int32,
        )
    }


def test_explicit_representations_come_before_inferred_ones():
    schema = parse(
        'feature { name: "renamed" type: INT } feature { name: "plain" type: INT }',
        new='varlen_sparse_tensor { column_name: "renamed" }',
    )
    assert list(tensor_representations(schema)) == ["new", "plain"]
    spec = example_parser_spec(schema)
    assert spec.tensor_names == {"renamed": "new", "plain": "plain"}
    with pytest.raises(ValueError, match="'new' reads column 'renamed'"):
        schema_to_feature_spec(schema)


def test_a_tensor_hides_a_feature_of_its_name(caplog):
    schema = parse(
        'feature { name: "a" type: INT } feature { name: "b" type: FLOAT }',
        a='varlen_sparse_tensor { column_name: "b" }',
    )
    assert example_parser_spec(schema).features == {"b": tf.io.VarLenFeature(tf.float32)}
    assert "Feature 'a' is not read" in caplog.text


def test_representations_of_other_groups_do_not_count():
    schema = parse('feature { name: "x" type: INT }')
    serving = schema.tensor_representation_group["serving"].tensor_representation["x"]
    serving.ragged_tensor.feature_path.step.append("x")
    assert schema_to_feature_spec(schema) == {"x": tf.io.VarLenFeature(tf.int64)}


INT_X = 'feature { name: "x" type: INT }'


@pytest.mark.parametrize(
    ("text", "representations", "message"),
    [
        ('feature { name: "x" type: INT shape {} }', {}, "'x' has a fixed shape but may be absent"),
        ('feature { name: "x" }', {}, "'x' reads a column of type TYPE_UNKNOWN"),
        (
            'feature { name: "s" type: STRUCT struct_domain { feature { name: "x" type: INT } } }',
            {},
            "'s.x' reads a feature inside a STRUCT",
        ),
        (INT_X, {"x": ""}, "'x' names no column"),
        (INT_X, {"x": "ragged_tensor {}"}, "'x' names no column"),
        (
            'feature { name: "weight" type: INT }',
            {"w": 'varlen_sparse_tensor { column_name: "wieght" }'},
            "did you mean 'weight'",
        ),
        (
            INT_X,
            {"x": 'dense_tensor { column_name: "x" default_value { float_value: 1 } }'},
            "type INT: use int_value",
        ),
        (
            INT_X,
            {
                "a": 'varlen_sparse_tensor { column_name: "x" }',
                "b": 'dense_tensor { column_name: "x" }',
            },
            "both read column 'x'",
        ),
        (
            INT_X,
            {"x": 'ragged_tensor { feature_path { step: "x" } partition {} }'},
            "'x' has an empty partition",
        ),
    ],
)
def test_what_cannot_be_parsed_is_refused_with_its_name(text, representations, message):
    with pytest.raises(ValueError, match=message):
        schema_to_feature_spec(parse(text, **representations))


SEQUENCE = """
    feature { name: "user" type: BYTES presence { min_fraction: 1 } shape {} }
    feature {
      name: "##SEQUENCE##" type: STRUCT
      struct_domain { feature { name: "clicks" type: INT } feature { name: "user" type: FLOAT } }
    }
"""


def test_sequences_are_ragged_and_context_features_are_as_in_an_example():
    context, sequences = sequence_example_parser_specs(parse(SEQUENCE))
    assert context.features == {"user": tf.io.FixedLenFeature([], tf.string)}
    assert list(sequences.tensor_names.values()) == ["##SEQUENCE##.clicks", "##SEQUENCE##.user"]
    clicks, user = sequences.features.values()
    assert (clicks.value_key, clicks.dtype) == ("clicks", tf.int64)
    assert (user.value_key, user.dtype) == ("user", tf.float32)


def test_with_representations_a_sequence_example_has_only_those():
    schema = parse(
        SEQUENCE,
        clicks='ragged_tensor { feature_path { step: "##SEQUENCE##" step: "clicks" } }',
    )
    context, sequences = sequence_example_parser_specs(schema)
    assert context.features == {}
    assert list(sequences.tensor_names.values()) == ["clicks"]


def test_a_struct_in_a_struct_is_refused():
    schema = parse(
        'feature { name: "a" type: STRUCT struct_domain { feature { name: "b" type: STRUCT '
        'struct_domain { feature { name: "c" type: INT } } } } }'
    )
    with pytest.raises(ValueError, match="'a.b.c' reads a feature inside a STRUCT inside a STRUCT"):
        sequence_example_parser_specs(schema)


def test_importing_the_data_modules_does_not_import_tensorflow():
    code = (
        "import sys; import trainwright.data.dataset_options; "
        "import trainwright.data.example_reading.example_files; "
        "import trainwright.data.example_reading.tf_datasets; "
        "import trainwright.data.example_reading.untyped_features; "
        "sys.exit('tensorflow' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
