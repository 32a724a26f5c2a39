"""Explanations of errors in `run_fn` that do not say what is wrong."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from types import TracebackType
from typing import Any

from trainwright._estimator_repairs import missing_extra
from trainwright._extras import install_advice
from trainwright.components.user_training.fn_args import FnArgs

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

# What Keras 3 says where code asks it for the layer that takes feature columns.
_NO_DENSE_FEATURES = re.compile(
    r"module '[\w.]*keras[\w.]*' has no attribute 'DenseFeatures'"
    r"|cannot import name 'DenseFeatures' from '(tensorflow\.)?keras\."
)

# What only Keras 3 says of an argument that is not a layer or tensor of its own.
_KERAS_3_REFUSALS = (
    "Only instances of `keras.Layer` can be added",
    "Only input tensors may be passed as positional arguments",
    "All `inputs` values must be KerasTensors",
    "A KerasTensor cannot be used as input to a TensorFlow function",
)

# How a feature column, or the layer of Keras 2 for them, shows itself in a message.
_FEATURE_COLUMN = re.compile(r"\b[A-Z]\w+Column\(|\bDenseFeatures\b")
_FEATURE_COLUMN_MODULES = "tensorflow.python.feature_column"

# What of Keras exports a model of Torch as a SavedModel.
_TORCH_EXPORT = "keras.src.backend.torch.export"

# What is said of Estimators where the extra is not installed, and where tf.keras is Keras 3.
_NO_ESTIMATORS = re.compile(
    r"module '[\w.]*tensorflow[\w.]*' has no attribute 'estimator'"
    r"|cannot import name 'estimator' from 'tensorflow"
)
_NO_KERAS_ESTIMATORS = re.compile(r"module '[\w.]*keras[\w.]*' has no attribute 'estimator'")

# What TensorFlow 2 says of a name that TensorFlow 1 had.
_NO_NAME = re.compile(
    r"module 'tensorflow(?:_estimator)?(?:\._api\.v2)?(?P<module>[\w.]*)' has no attribute "
    r"'(?P<name>\w+)'"
)
_NO_CONTRIB = re.compile(r"No module named 'tensorflow\.contrib")
_NO_ITERATOR = re.compile(r"Dataset\w*' object has no attribute '(?P<name>make_\w+_iterator)'")


def explain(error: BaseException, fn_args: FnArgs) -> str | None:
    """What an error of user code probably comes from, or None if nothing better is known."""
    message = str(error)
    if any(sign in message for sign in _SPARSE_SIGNS):
        return _explain_sparse_features(fn_args)
    empty = _EMPTY_FEATURE.search(message)
    if empty is not None:
        return _explain_empty_feature(empty.group("name"))
    if _is_about_feature_columns_in_keras_3(error):
        return _explain_feature_columns(message)
    if _NO_ESTIMATORS.search(message):
        return missing_extra("The module file")
    if _NO_KERAS_ESTIMATORS.search(message):
        return (
            "tf.keras is Keras 3 here, which makes no Estimators of its models. Use Keras 2: leave "
            "TF_USE_LEGACY_KERAS unset, or set it to 1."
        )
    if _passes_module(error.__traceback__, _TORCH_EXPORT):
        return (
            "Keras on Torch could not write a SavedModel of this model. Export it as ONNX, which "
            "the Evaluator and the Pusher take: model.export(os.path.join(fn_args."
            "serving_model_dir, 'model.onnx'), format='onnx'). Or train on TensorFlow or JAX "
            "(KERAS_BACKEND), whose SavedModels can also be rewritten."
        )
    old_name = _explain_name_of_tensorflow_1(message)
    if old_name is not None:
        return old_name
    if isinstance(error, ModuleNotFoundError) and error.name:
        advice = install_advice(error.name)
        return f"{message}. It comes with an extra: {advice}" if advice else None
    return None


def _explain_name_of_tensorflow_1(message: str) -> str | None:
    """What became of a name that module files for TFX 0.15 and older use."""
    iterator, missing = _NO_ITERATOR.search(message), _NO_NAME.search(message)
    if iterator is not None:
        name = iterator["name"]
        return (
            f"dataset.{name}() is of TensorFlow 1. Let the input function return the dataset "
            f"itself, or use tf.compat.v1.data.{name}(dataset)."
        )
    path = f"{missing['module']}.{missing['name']}" if missing is not None else ""
    if path == ".contrib" or _NO_CONTRIB.search(message):
        return (
            "tf.contrib ended with TensorFlow 1.15. What was in it is elsewhere by now: Estimators "
            "of tf.contrib.learn in tf.estimator, layers in tf.keras.layers; the rest is gone."
        )
    if not path or not _is_in_tensorflow_1(path):
        return None
    return (
        f"tf{path} is of TensorFlow 1: use tf.compat.v1{path}. For a module with many such names, "
        "`import tensorflow.compat.v1 as tf` has them all."
    )


def _is_in_tensorflow_1(path: str) -> bool:
    tensorflow = sys.modules.get("tensorflow")
    found = getattr(getattr(tensorflow, "compat", None), "v1", None)
    for name in path.strip(".").split("."):
        found = getattr(found, name, None)
    return found is not None


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


def _explain_feature_columns(message: str) -> str:
    """Feature columns belong to Keras 2 and Estimators; in Keras 3 layers do their work."""
    return (
        f"Feature columns (tf.feature_column) do not work with Keras 3: {message.strip()}\n"
        "It has no DenseFeatures, the layer for them, and its own layers expect tensors. Either "
        "train with Keras 2: build the whole model with tf.keras, DenseFeatures(columns) included, "
        "and leave TF_USE_LEGACY_KERAS unset or 1. "
        "Or replace the columns by layers of Keras 3: Normalization for numeric_column, "
        "Discretization for bucketized_column, StringLookup or Hashing for categorical columns, "
        "Embedding for embedding_column, or keras.utils.FeatureSpace for all of them."
    )


def _is_about_feature_columns_in_keras_3(error: BaseException) -> bool:
    message = str(error)
    if _NO_DENSE_FEATURES.search(message):
        return True
    if not any(refusal in message for refusal in _KERAS_3_REFUSALS):
        return False
    # A column is a named tuple, which Keras takes apart: its message may have no more than the
    # column's name. Then the code that failed tells.
    return bool(_FEATURE_COLUMN.search(message)) or _touches_feature_columns(error.__traceback__)


def _touches_feature_columns(traceback: TracebackType | None) -> bool:
    """Whether code on the way to an error is of feature columns, or has some in a variable."""
    while traceback is not None:
        frame = traceback.tb_frame
        if frame.f_globals.get("__name__", "").startswith(_FEATURE_COLUMN_MODULES):
            return True
        if any(map(_is_feature_column, _values_and_items(frame.f_locals))):
            return True
        traceback = traceback.tb_next
    return False


def _passes_module(traceback: TracebackType | None, module: str) -> bool:
    """Whether code of a module is on the way to an error."""
    while traceback is not None:
        if traceback.tb_frame.f_globals.get("__name__") == module:
            return True
        traceback = traceback.tb_next
    return False


def _values_and_items(variables: dict[str, Any]) -> Iterator[Any]:
    for value in variables.values():
        yield value
        if type(value) in (list, tuple):
            yield from value
        elif type(value) is dict:
            yield from value.values()


def _is_feature_column(value: Any) -> bool:
    return type(value).__module__.startswith(_FEATURE_COLUMN_MODULES)


def _features_without_shape(schema_path: str | None) -> list[str]:
    if schema_path is None:
        return []
    from google.protobuf import text_format
    from tensorflow_metadata.proto.v0 import schema_pb2

    with open(schema_path, encoding="utf-8") as file:
        schema = text_format.Parse(file.read(), schema_pb2.Schema())
    return [feature.name for feature in schema.feature if not feature.HasField("shape")]
