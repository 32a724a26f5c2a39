"""Explanations of errors in `run_fn` that do not say what is wrong."""

from __future__ import annotations

import re

from trainwright._extras import install_advice
from trainwright.components.trainer.fn_args import FnArgs

_SPARSE_SIGNS = (
    "Failed to convert elements of SparseTensor",
    "SparseTensor(indices=",
    "of type 'SparseTensor'",
    "sparse_tensor.SparseTensor'",
)

# What TensorFlow's parser says of a feature with a fixed shape and an empty list of values.
_EMPTY_FEATURE = re.compile(
    r"Key: (?P<name>[^,]+), Index: \d+\.\s+Number of \w+ values != expected\.\s+"
    r"[Vv]alues size: 0"
)


def explain(error: BaseException, fn_args: FnArgs) -> str | None:
    """What an error of user code probably comes from, or None if nothing better is known."""
    message = str(error)
    if any(sign in message for sign in _SPARSE_SIGNS):
        return _explain_sparse_features(fn_args)
    empty = _EMPTY_FEATURE.search(message)
    if empty is not None:
        return _explain_empty_feature(empty.group("name"))
    if isinstance(error, ModuleNotFoundError) and error.name:
        advice = install_advice(error.name)
        return f"{message}. It comes with an extra: {advice}" if advice else None
    return None


def _explain_empty_feature(name: str) -> str:
    """A fixed shape asks for a value in every example, and a default is for absent features."""
    return (
        f"Feature {name!r} has no value in some examples (an empty cell of a CSV file), but the "
        "schema gives it a fixed shape. Leave the shape and min_fraction out of the schema; the "
        f"feature is a SparseTensor then, and tf.sparse.to_dense(features[{name!r}], "
        "default_value=...) in your input function fills the gaps."
    )


def _explain_sparse_features(fn_args: FnArgs) -> str:
    """Features without a fixed shape are parsed as SparseTensors, which most layers refuse."""
    names = _features_without_shape(fn_args.schema_path)
    listed = f" They are: {', '.join(names)}." if names else ""
    return (
        "A SparseTensor reached code that expects a dense one. Features for which the schema "
        f"gives no fixed shape are parsed as SparseTensors.{listed} If every example has exactly "
        "one value, say so in the schema (`shape { dim { size: 1 } }` and "
        "`presence { min_fraction: 1.0 }`, or SchemaGen(infer_feature_shape=True)); otherwise call "
        "tf.sparse.to_dense on the feature in your input function."
    )


def _features_without_shape(schema_path: str | None) -> list[str]:
    if schema_path is None:
        return []
    from google.protobuf import text_format
    from tensorflow_metadata.proto.v0 import schema_pb2

    with open(schema_path, encoding="utf-8") as file:
        schema = text_format.Parse(file.read(), schema_pb2.Schema())
    return [feature.name for feature in schema.feature if not feature.HasField("shape")]
