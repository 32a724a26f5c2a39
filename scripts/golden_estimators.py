"""Trains seeded Estimators and writes what came out: losses, metrics, predictions.

    python3.10 -m venv tf215 && tf215/bin/pip install tensorflow-cpu==2.15.1
    tf215/bin/python scripts/golden_estimators.py tests/components/trainer/golden_estimators.json

TensorFlow 2.15 is the last that has Estimators. In the project's own environment the same script
gives the figures of this project, which a test holds against those of 2.15. Names of Estimators may
follow the path: only these are trained then.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Callable
from typing import Any

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import numpy as np
import tensorflow as tf

if not tf.__version__.startswith("2.15."):
    from trainwright._estimator_repairs import offer_estimators

    offer_estimators()

ROWS, STEPS = 256, 40

_generator = np.random.RandomState(0)
FEATURES = {
    "miles": _generator.rand(ROWS, 1).astype(np.float32),
    "fare": _generator.rand(ROWS, 1).astype(np.float32),
    "paid_by": _generator.choice(["card", "cash", "other"], (ROWS, 1)).astype(object),
}
TIPPED = (FEATURES["miles"] + 2 * FEATURES["fare"] + (FEATURES["paid_by"] == "card") > 1.8).astype(
    np.int64
)
TIPS = 3 * FEATURES["miles"] - FEATURES["fare"]

NUMBERS = [tf.feature_column.numeric_column(name) for name in ("miles", "fare")]
PAID_BY = tf.feature_column.categorical_column_with_vocabulary_list(
    "paid_by", ["card", "cash", "other"]
)
BUCKETS = tf.feature_column.bucketized_column(NUMBERS[0], [0.3, 0.6])
WIDE = [PAID_BY, BUCKETS, tf.feature_column.crossed_column([BUCKETS, "paid_by"], 20)]
DEEP = [
    *NUMBERS,
    tf.feature_column.embedding_column(PAID_BY, 2),
    tf.feature_column.indicator_column(PAID_BY),
]


def read(labels: np.ndarray, repeat: bool) -> Callable[[], tf.data.Dataset]:
    def input_fn() -> tf.data.Dataset:
        dataset = tf.data.Dataset.from_tensor_slices((dict(FEATURES), labels))
        return (dataset.repeat() if repeat else dataset).batch(32)

    return input_fn


def config() -> Any:
    return tf.estimator.RunConfig(model_dir=tempfile.mkdtemp(), tf_random_seed=7)


def model_fn(features: Any, labels: Any, mode: str, params: Any) -> Any:
    """A line, whose variables start at one: what a seed draws depends on TensorFlow's version."""
    inputs = tf.concat([features["miles"], features["fare"]], 1)
    ones = tf.compat.v1.ones_initializer()
    slopes = tf.compat.v1.get_variable("slopes", [2, 1], initializer=ones)
    guess = tf.matmul(inputs, slopes)
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, predictions={"tips": guess})
    loss = tf.compat.v1.losses.mean_squared_error(labels, guess)
    error = tf.compat.v1.metrics.mean_absolute_error(labels, guess)
    optimizer = tf.compat.v1.train.AdagradOptimizer(params["rate"])
    step = tf.compat.v1.train.get_global_step()
    return tf.estimator.EstimatorSpec(
        mode, loss=loss, train_op=optimizer.minimize(loss, step), eval_metric_ops={"mae": error}
    )


def keras_estimator() -> Any:
    inputs = {name: tf.keras.Input((1,), name=name) for name in ("miles", "fare")}
    both = tf.keras.layers.concatenate([inputs["miles"], inputs["fare"]])
    hidden = tf.keras.layers.Dense(4, activation="relu", kernel_initializer="ones")(both)
    output = tf.keras.layers.Dense(1, activation="sigmoid", kernel_initializer="ones")(hidden)
    model = tf.keras.Model(inputs, output)
    optimizer = tf.keras.optimizers.legacy.Adam(0.05)
    model.compile(optimizer=optimizer, loss="binary_crossentropy", metrics=["accuracy"])
    return tf.keras.estimator.model_to_estimator(model, config=config())


# What makes each Estimator, and its labels.
ESTIMATORS: dict[str, tuple[Callable[[], Any], np.ndarray]] = {
    "linear classifier": (
        lambda: tf.estimator.LinearClassifier([*WIDE, *NUMBERS], config=config()),
        TIPPED,
    ),
    "linear regressor": (lambda: tf.estimator.LinearRegressor(NUMBERS, config=config()), TIPS),
    "deep classifier": (lambda: tf.estimator.DNNClassifier([8, 4], DEEP, config=config()), TIPPED),
    "deep regressor": (lambda: tf.estimator.DNNRegressor([8, 4], DEEP, config=config()), TIPS),
    "wide and deep": (
        lambda: tf.estimator.DNNLinearCombinedClassifier(
            linear_feature_columns=WIDE,
            dnn_feature_columns=DEEP,
            dnn_hidden_units=[8, 4],
            config=config(),
        ),
        TIPPED,
    ),
    "wide and deep of TensorFlow 1": (
        lambda: tf.compat.v1.estimator.DNNLinearCombinedClassifier(
            linear_feature_columns=WIDE,
            dnn_feature_columns=DEEP,
            dnn_hidden_units=[8, 4],
            config=config(),
        ),
        TIPPED,
    ),
    "model_fn": (
        lambda: tf.estimator.Estimator(model_fn, config=config(), params={"rate": 0.1}),
        TIPS,
    ),
    "Keras": (keras_estimator, TIPPED),
}


def figures(make: Callable[[], Any], labels: np.ndarray) -> dict[str, Any]:
    """What an Estimator says of the data after its training."""
    estimator = make()
    estimator.train(read(labels, repeat=True), max_steps=STEPS)
    metrics = estimator.evaluate(read(labels, repeat=False))
    first = next(iter(estimator.predict(read(labels, repeat=False))))
    return {
        "metrics": {name: float(value) for name, value in sorted(metrics.items())},
        "predictions": {
            name: np.ravel(value).astype(float).tolist()
            for name, value in sorted(first.items())
            if np.asarray(value).dtype.kind in "if"
        },
    }


def main(path: str, *names: str) -> None:
    tf.get_logger().setLevel("ERROR")
    found = {name: figures(*ESTIMATORS[name]) for name in names or ESTIMATORS}
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"tensorflow": tf.__version__, "figures": found}, file, indent=1)
        file.write("\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
