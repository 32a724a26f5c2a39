"""Errors that say little are explained: what Keras 3 says of feature columns."""

from __future__ import annotations

import importlib

import pytest

from trainwright.components.user_training.explanations import explain
from trainwright.components.user_training.fn_args import FnArgs

tf = pytest.importorskip("tensorflow")
keras = pytest.importorskip("keras")


def columns():
    return [tf.feature_column.numeric_column("x")]


def layer_of_keras_3():
    return keras.layers.DenseFeatures(columns())


def layer_of_tf_keras():
    # What tf.keras.layers is with TF_USE_LEGACY_KERAS=0.
    return importlib.import_module("keras._tf_keras.keras.layers").DenseFeatures(columns())


def import_of_the_layer():
    from keras.layers import DenseFeatures  # noqa: F401


def columns_as_the_first_layer():
    return keras.Sequential([columns(), keras.layers.Dense(1)])


def columns_as_input_of_a_layer():
    feature_columns = columns()
    return keras.layers.Dense(1)(feature_columns)


def columns_as_input_of_a_model():
    return keras.Model(inputs=columns(), outputs=keras.layers.Dense(1)(keras.Input((1,))))


def columns_within_a_subclassed_model():
    class Model(keras.Model):
        def __init__(self):
            super().__init__()
            self.dense = keras.layers.Dense(1)

        def call(self, features):
            feature_columns = columns()
            return self.dense(feature_columns)

    return Model()({"x": tf.ones([2, 1])})


def columns_of_inputs():
    inputs = {"x": keras.Input((1,), name="x")}
    return tf.compat.v1.feature_column.input_layer(inputs, columns())


def layer_of_keras_2_on_inputs_of_keras_3():
    layer = importlib.import_module("tf_keras").layers.DenseFeatures(columns())
    return layer({"x": keras.Input((1,), name="x")})


def layer_of_keras_2_in_a_model_of_keras_3():
    layer = importlib.import_module("tf_keras").layers.DenseFeatures(columns())
    return keras.Sequential([layer, keras.layers.Dense(1)])


@pytest.mark.parametrize(
    "build",
    [
        layer_of_keras_3,
        layer_of_tf_keras,
        import_of_the_layer,
        columns_as_the_first_layer,
        columns_as_input_of_a_layer,
        columns_as_input_of_a_model,
        columns_within_a_subclassed_model,
        columns_of_inputs,
        layer_of_keras_2_on_inputs_of_keras_3,
        layer_of_keras_2_in_a_model_of_keras_3,
    ],
)
def test_feature_columns_handed_to_keras_3_are_explained(build):
    with pytest.raises((AttributeError, ImportError, ValueError)) as caught:
        build()
    explanation = explain(caught.value, FnArgs())
    assert explanation.startswith("Feature columns (tf.feature_column) do not work with Keras 3")
    assert str(caught.value).strip() in explanation
    assert "TF_USE_LEGACY_KERAS unset or 1" in explanation
    assert "Normalization for numeric_column" in explanation


def keras_3_without_columns():
    return keras.Sequential(["x", keras.layers.Dense(1)])


def keras_2_with_a_feature_missing():
    layer = importlib.import_module("tf_keras").layers.DenseFeatures(columns())
    return layer({"y": tf.ones([2, 1])})


@pytest.mark.parametrize("build", [keras_3_without_columns, keras_2_with_a_feature_missing])
def test_other_errors_are_left_as_they_are(build):
    with pytest.raises(ValueError) as caught:
        build()
    assert explain(caught.value, FnArgs()) is None


@pytest.mark.parametrize(
    ("message", "advice"),
    [
        (
            "module 'tensorflow' has no attribute 'estimator'",
            "pip install 'trainwright[estimator]'",
        ),
        (
            "cannot import name 'estimator' from 'tensorflow' (/site-packages/tensorflow)",
            "pip install 'trainwright[estimator]'",
        ),
        (
            "module 'keras._tf_keras.keras' has no attribute 'estimator'",
            "leave TF_USE_LEGACY_KERAS unset",
        ),
    ],
)
def test_estimators_that_are_not_there(message, advice):
    assert advice in explain(AttributeError(message), FnArgs())


@pytest.mark.parametrize(
    ("use", "advice"),
    [
        (lambda: tf.placeholder, "use tf.compat.v1.placeholder."),
        (lambda: tf.logging.INFO, "use tf.compat.v1.logging."),
        (lambda: tf.train.AdamOptimizer, "use tf.compat.v1.train.AdamOptimizer."),
        (lambda: tf.contrib.learn, "tf.contrib ended with TensorFlow 1.15"),
        (
            lambda: importlib.import_module("tensorflow.contrib.learn"),
            "tf.contrib ended with TensorFlow 1.15",
        ),
        (
            lambda: tf.data.Dataset.range(3).batch(2).make_one_shot_iterator(),
            "tf.compat.v1.data.make_one_shot_iterator(dataset)",
        ),
    ],
)
def test_names_of_tensorflow_1_are_explained(use, advice):
    with pytest.raises((AttributeError, ImportError)) as caught:
        use()
    assert advice in explain(caught.value, FnArgs())


def test_names_that_tensorflow_never_had_are_not_explained():
    with pytest.raises(AttributeError) as caught:
        _ = tf.train.NoSuchOptimizer
    assert explain(caught.value, FnArgs()) is None
