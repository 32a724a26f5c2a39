"""Feature specs: from a schema to the arguments of `tf.io`'s parsers.

A schema says in two places what a tensor looks like. Its tensor representations say it outright:
dense, variable length, sparse or ragged, and from which columns. What they leave out follows from
the features themselves: a fixed `shape` makes a dense tensor, a `sparse_feature` joins its index
and value columns, and anything else has variable length: a `SparseTensor`, or a `RaggedTensor`
where the schema sets `represent_variable_length_as_ragged`.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from tensorflow_metadata.proto.v0 import path_pb2, schema_pb2

from trainwright._suggest import did_you_mean

_LOGGER = logging.getLogger(__name__)

# At these stages a feature is not read: its data may be missing or wrong.
_STAGES_NOT_READ = frozenset(
    {
        schema_pb2.PLANNED,
        schema_pb2.ALPHA,
        schema_pb2.DEPRECATED,
        schema_pb2.DEBUG_ONLY,
        schema_pb2.DISABLED,
        schema_pb2.VALIDATION_DERIVED,
    }
)

_DEFAULT_VALUE_FIELDS = {
    schema_pb2.BYTES: "bytes_value",
    schema_pb2.INT: "int_value",
    schema_pb2.FLOAT: "float_value",
}

# Sparse and ragged features name their columns themselves; what they are called in the parser's
# argument is free, as long as it is not a column's name.
_FREE_KEY_PREFIX = "tensor:"

# A column's name, after the names of the STRUCT features it is in.
_Path = tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class ParserSpec:
    """The argument of a `tf.io` parser, and what its results are called.

    Args:
        features: `tf.io` features by the key that the parser wants.
        tensor_names: the name of the tensor behind each key.
    """

    features: dict[str, Any]
    tensor_names: dict[str, str]

    def select(self, names: Collection[str] | None) -> ParserSpec:
        """The part of it that gives the tensors of these names; all of it if None."""
        if names is None:
            return self
        keys = [key for key, name in self.tensor_names.items() if name in names]
        return ParserSpec(
            features={key: self.features[key] for key in keys},
            tensor_names={key: self.tensor_names[key] for key in keys},
        )

    def rename(self, parsed: Mapping[str, Any]) -> dict[str, Any]:
        """The parsed tensors by the names they have in the schema."""
        return {self.tensor_names[key]: tensor for key, tensor in parsed.items()}


def schema_to_feature_spec(schema: schema_pb2.Schema) -> dict[str, Any]:
    """The features that `tf.io.parse_example` reads from the tf.Examples of a schema, by name.

    Example:
      tensors = tf.io.parse_example(serialized_examples, schema_to_feature_spec(schema))

    Raises:
        ValueError: if the schema does not describe tf.Examples, or calls a dense or variable
            length tensor other than its column, which a feature spec cannot express.
    """
    spec = example_parser_spec(schema)
    for key, name in spec.tensor_names.items():
        if key != name and not key.startswith(_FREE_KEY_PREFIX):
            raise ValueError(
                f"Tensor {name!r} reads column {key!r}, but a feature spec cannot rename a column. "
                f"Call the tensor representation {key!r}, or make it a ragged_tensor."
            )
    return spec.rename(spec.features)


def example_parser_spec(schema: schema_pb2.Schema) -> ParserSpec:
    """What `tf.io.parse_example` needs for the tf.Examples of a schema."""
    representations = tensor_representations(schema)
    for name, representation in representations.items():
        if len(_value_path(name, representation)) > 1:
            raise ValueError(
                f"Tensor {name!r} reads a feature inside a STRUCT, which a tf.Example cannot hold; "
                "only tf.SequenceExamples (payload format FORMAT_TF_SEQUENCE_EXAMPLE) have one."
            )
    return _parser_spec(representations, _column_types(schema.feature))


def sequence_example_parser_specs(schema: schema_pb2.Schema) -> tuple[ParserSpec, ParserSpec]:
    """What `tf.io.parse_sequence_example` needs: the context's spec and the sequences'.

    Sequence features are those inside a STRUCT feature, `##SEQUENCE##` by convention, and become
    ragged tensors. If the schema has tensor representations, they alone are read.
    """
    representations = _explicit_representations(schema) or _inferred_representations(schema)
    context: dict[str, schema_pb2.TensorRepresentation] = {}
    sequences: dict[str, schema_pb2.TensorRepresentation] = {}
    for name, representation in representations.items():
        steps = len(_value_path(name, representation))
        if steps > 2:
            raise ValueError(
                f"Tensor {name!r} reads a feature inside a STRUCT inside a STRUCT; a "
                "tf.SequenceExample has context features and one STRUCT of sequence features."
            )
        (context if steps == 1 else sequences)[name] = representation
    column_types = _column_types(schema.feature)
    return _parser_spec(context, column_types), _parser_spec(sequences, column_types)


def tensor_representations(
    schema: schema_pb2.Schema,
) -> dict[str, schema_pb2.TensorRepresentation]:
    """The tensors of a schema: those it represents explicitly, then the inferred ones.

    A column that an explicit representation reads is not inferred again.
    """
    explicit = _explicit_representations(schema)
    columns_read: set[str] = set()
    for name, representation in explicit.items():
        columns_read |= _columns_read(name, representation)

    representations = dict(explicit)
    for name, representation in _inferred_representations(schema, columns_read).items():
        if name in explicit:
            _LOGGER.warning(
                "Feature %r is not read: the schema's tensor representation of the same name "
                "reads other columns.",
                name,
            )
        else:
            representations[name] = representation
    return representations


def _explicit_representations(
    schema: schema_pb2.Schema,
) -> dict[str, schema_pb2.TensorRepresentation]:
    """Those of the unnamed group, which is the one that applies when none is asked for."""
    if "" not in schema.tensor_representation_group:
        return {}
    return dict(schema.tensor_representation_group[""].tensor_representation)


def _inferred_representations(
    schema: schema_pb2.Schema, columns_to_skip: Collection[str] = ()
) -> dict[str, schema_pb2.TensorRepresentation]:
    columns = {feature.name: feature for feature in schema.feature}
    representations = {}
    for sparse_feature in filter(_is_read, schema.sparse_feature):
        if sparse_feature.name not in columns_to_skip:
            representations[sparse_feature.name] = _join_sparse_columns(sparse_feature, columns)

    for name, feature in columns.items():
        if name in columns_to_skip or not _is_read(feature):
            continue
        if feature.type == schema_pb2.STRUCT:
            for path in _column_types([feature]):
                representations[".".join(path)] = _ragged(path)
        elif feature.HasField("shape"):
            representations[name] = _dense(feature)
        elif schema.represent_variable_length_as_ragged:
            representations[name] = _ragged((name,))
        else:
            representations[name] = schema_pb2.TensorRepresentation(
                varlen_sparse_tensor={"column_name": name}
            )
    return representations


def _is_read(feature: schema_pb2.Feature | schema_pb2.SparseFeature) -> bool:
    return not feature.deprecated and feature.lifecycle_stage not in _STAGES_NOT_READ


def _dense(feature: schema_pb2.Feature) -> schema_pb2.TensorRepresentation:
    if feature.presence.min_fraction != 1:
        raise ValueError(
            f"Feature {feature.name!r} has a fixed shape but may be absent: its "
            f"presence.min_fraction is {feature.presence.min_fraction:g}, not 1. Set that to 1 if "
            "every example has its value. Otherwise leave the shape out and call "
            "tf.sparse.to_dense(feature, default_value=...) in your input function."
        )
    return schema_pb2.TensorRepresentation(
        dense_tensor={"column_name": feature.name, "shape": feature.shape}
    )


def _ragged(path: _Path) -> schema_pb2.TensorRepresentation:
    return schema_pb2.TensorRepresentation(ragged_tensor={"feature_path": path_pb2.Path(step=path)})


def _join_sparse_columns(
    sparse_feature: schema_pb2.SparseFeature, columns: dict[str, schema_pb2.Feature]
) -> schema_pb2.TensorRepresentation:
    """Takes the sparse feature's columns out of `columns` and represents them as one tensor."""

    def take(column: str) -> schema_pb2.Feature:
        if column not in columns:
            raise ValueError(
                f"Sparse feature {sparse_feature.name!r} reads column {column!r}, which is not a "
                "feature of the schema or is read by another sparse feature"
                + did_you_mean(column, columns)
            )
        return columns.pop(column)

    index_features = [take(index.name) for index in sparse_feature.index_feature]
    value_feature = take(sparse_feature.value_feature.name)
    sizes = [_dimension_size(sparse_feature.name, index) for index in index_features]
    return schema_pb2.TensorRepresentation(
        sparse_tensor={
            "dense_shape": {"dim": [{"size": size} for size in sizes]},
            "index_column_names": [index.name for index in index_features],
            "value_column_name": value_feature.name,
            "already_sorted": sparse_feature.is_sorted or None,
        }
    )


def _dimension_size(sparse_name: str, index_feature: schema_pb2.Feature) -> int:
    """The size that an index column's domain gives its dimension, or -1 if it has no domain."""
    if not index_feature.HasField("int_domain"):
        return -1
    domain = index_feature.int_domain
    if not (domain.HasField("min") and domain.HasField("max")) or domain.min != 0:
        raise ValueError(
            f"The shape of sparse feature {sparse_name!r} is unknown: the int_domain of its index "
            f"column {index_feature.name!r} must have min: 0 and a max, and is "
            f"{{{str(domain).strip()}}}."
        )
    return int(domain.max) + 1


def _column_types(
    features: Iterable[schema_pb2.Feature], parents: _Path = ()
) -> dict[_Path, schema_pb2.FeatureType]:
    types: dict[_Path, schema_pb2.FeatureType] = {}
    for feature in features:
        path = (*parents, feature.name)
        if feature.type != schema_pb2.STRUCT:
            types[path] = feature.type
            continue
        if feature.struct_domain.sparse_feature:
            raise ValueError(
                f"STRUCT feature {'.'.join(path)!r} has a sparse_feature, which cannot be read "
                "from a sequence. Remove it from the struct_domain."
            )
        types |= _column_types(feature.struct_domain.feature, path)
    return types


def _value_path(name: str, representation: schema_pb2.TensorRepresentation) -> _Path:
    """Where the values of a tensor come from."""
    kind = representation.WhichOneof("kind")
    if kind in ("dense_tensor", "varlen_sparse_tensor"):
        return (getattr(representation, kind).column_name,)
    if kind == "sparse_tensor":
        return (representation.sparse_tensor.value_column_name,)
    if kind == "ragged_tensor" and representation.ragged_tensor.feature_path.step:
        return tuple(representation.ragged_tensor.feature_path.step)
    raise ValueError(
        f"The tensor representation of {name!r} names no column to read: it is "
        f"{kind or 'empty'}. Use dense_tensor, varlen_sparse_tensor, sparse_tensor, or "
        "ragged_tensor with a feature_path."
    )


def _columns_read(name: str, representation: schema_pb2.TensorRepresentation) -> set[str]:
    path = _value_path(name, representation)
    row_lengths = (partition.row_length for partition in representation.ragged_tensor.partition)
    return {
        ".".join(path),
        *representation.sparse_tensor.index_column_names,
        *(".".join((*path[:-1], column)) for column in row_lengths if column),
    }


def _parser_spec(
    representations: Mapping[str, schema_pb2.TensorRepresentation],
    column_types: Mapping[_Path, schema_pb2.FeatureType],
) -> ParserSpec:
    spec = ParserSpec(features={}, tensor_names={})
    for name, representation in representations.items():
        path = _value_path(name, representation)
        if path not in column_types:
            known = (".".join(column) for column in column_types)
            raise ValueError(
                f"Tensor {name!r} reads column {'.'.join(path)!r}, which is not in the schema"
                + did_you_mean(".".join(path), known)
            )
        if representation.WhichOneof("kind") in ("dense_tensor", "varlen_sparse_tensor"):
            key = path[0]
        else:
            key = _FREE_KEY_PREFIX + name
        if key in spec.features:
            raise ValueError(
                f"Tensors {spec.tensor_names[key]!r} and {name!r} both read column {key!r} as a "
                "dense or variable length tensor; it can be parsed only once. Remove one of them."
            )
        spec.features[key] = _to_tf_feature(name, representation, column_types[path])
        spec.tensor_names[key] = name
    return spec


def _to_tf_feature(
    name: str,
    representation: schema_pb2.TensorRepresentation,
    column_type: schema_pb2.FeatureType,
) -> Any:
    import tensorflow as tf

    dtypes = {
        schema_pb2.BYTES: tf.string,
        schema_pb2.INT: tf.int64,
        schema_pb2.FLOAT: tf.float32,
    }
    if column_type not in dtypes:
        raise ValueError(
            f"Tensor {name!r} reads a column of type {schema_pb2.FeatureType.Name(column_type)}; "
            "set the feature's type in the schema to BYTES, INT or FLOAT."
        )
    dtype = dtypes[column_type]
    kind = representation.WhichOneof("kind")
    if kind == "varlen_sparse_tensor":
        return tf.io.VarLenFeature(dtype)
    if kind == "dense_tensor":
        dense = representation.dense_tensor
        return tf.io.FixedLenFeature(
            _dimensions(dense.shape), dtype, _default_values(name, dense, column_type)
        )
    if kind == "sparse_tensor":
        sparse = representation.sparse_tensor
        return tf.io.SparseFeature(
            index_key=list(sparse.index_column_names),
            value_key=sparse.value_column_name,
            dtype=dtype,
            size=_dimensions(sparse.dense_shape),
            already_sorted=sparse.already_sorted,
        )
    return _ragged_tf_feature(name, representation.ragged_tensor, dtype)


def _ragged_tf_feature(
    name: str, ragged: schema_pb2.TensorRepresentation.RaggedTensor, dtype: Any
) -> Any:
    import tensorflow as tf

    partitions = []
    for partition in ragged.partition:
        kind = partition.WhichOneof("kind")
        if kind == "uniform_row_length":
            length = partition.uniform_row_length
            partitions.append(tf.io.RaggedFeature.UniformRowLength(length))
        elif kind == "row_length":
            partitions.append(tf.io.RaggedFeature.RowLengths(partition.row_length))
        else:
            raise ValueError(
                f"The ragged tensor {name!r} has an empty partition; give it a row_length column "
                "or a uniform_row_length."
            )
    uses_int32 = ragged.row_partition_dtype == schema_pb2.TensorRepresentation.INT32
    return tf.io.RaggedFeature(
        dtype,
        value_key=ragged.feature_path.step[-1],
        partitions=partitions,
        row_splits_dtype=tf.int32 if uses_int32 else tf.int64,
    )


def _dimensions(shape: schema_pb2.FixedShape) -> list[int]:
    return [dimension.size for dimension in shape.dim]


def _default_values(
    name: str,
    dense: schema_pb2.TensorRepresentation.DenseTensor,
    column_type: schema_pb2.FeatureType,
) -> list[Any] | None:
    """The default in every place of the tensor, or None where a value is required."""
    if not dense.HasField("default_value"):
        return None
    kind = dense.default_value.WhichOneof("kind")
    if kind != _DEFAULT_VALUE_FIELDS[column_type]:
        raise ValueError(
            f"The default_value of tensor {name!r} is {kind or 'empty'}, but its column is of type "
            f"{schema_pb2.FeatureType.Name(column_type)}: use {_DEFAULT_VALUE_FIELDS[column_type]}."
        )
    return [getattr(dense.default_value, kind)] * math.prod(_dimensions(dense.shape))
