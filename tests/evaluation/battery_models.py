"""SavedModels of every kind that a battery of evaluations asks; each function saves one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

SPECIES = (b"Adelie", b"Chinstrap", b"Gentoo")


def _serialized() -> list[Any]:
    import tensorflow as tf

    return [tf.TensorSpec([None], tf.string, name="examples")]


def _floats(*names: str, width: int | None = None) -> dict[str, Any]:
    import tensorflow as tf

    shape = [] if width is None else [width]
    return {name: tf.io.FixedLenFeature(shape, tf.float32) for name in names}


def _save(directory: Path, module: Any, **signatures: Any) -> None:
    import tensorflow as tf

    for name, function in signatures.items():
        setattr(module, f"{name}_function", function)
    tf.saved_model.save(module, str(directory), signatures=signatures)


def save_scorer(directory: Path, factor: float = 1.0) -> None:
    """Parses serialized examples and returns one column of scores."""
    import tensorflow as tf

    @tf.function(input_signature=_serialized())
    def serve(examples):
        parsed = tf.io.parse_example(examples, _floats("x", width=1))
        return {"tip": parsed["x"] * factor}

    _save(directory, tf.Module(), serving_default=serve)


def save_worse_scorer(directory: Path) -> None:
    """A baseline: the same with lower scores."""
    save_scorer(directory, factor=0.7)


def save_classifier(directory: Path) -> None:
    """Returns probabilities of three classes."""
    import tensorflow as tf

    @tf.function(input_signature=_serialized())
    def serve(examples):
        return {"probabilities": tf.io.parse_example(examples, _floats("p", width=3))["p"]}

    _save(directory, tf.Module(), serving_default=serve)


def save_labelling_scorer(directory: Path) -> None:
    """Has a function that makes labels of strings, also by a name that is called unasked."""
    import tensorflow as tf

    @tf.function(input_signature=_serialized())
    def serve(examples):
        return {"tip": tf.io.parse_example(examples, _floats("x"))["x"]}

    @tf.function(input_signature=_serialized())
    def transform_features(examples):
        kinds = tf.io.parse_example(examples, {"kind": tf.io.FixedLenFeature([1], tf.string)})
        is_good = tf.cast(kinds["kind"] == "good", tf.int64)
        size = tf.io.parse_example(examples, _floats("size"))["size"]
        return {"is_good": is_good, "size_bucket": tf.cast(size > 1.0, tf.int64)}

    _save(
        directory,
        tf.Module(),
        serving_default=serve,
        transform_features=transform_features,
        transformed_features=transform_features,
    )


def save_naming_classifier(directory: Path) -> None:
    """Returns the texts of its classes beside the scores, as a classify signature does."""
    import tensorflow as tf

    @tf.function(input_signature=_serialized())
    def serve(examples):
        scores = tf.io.parse_example(examples, _floats("p", width=3))["p"]
        return {"classes": tf.tile([SPECIES], [tf.shape(scores)[0], 1]), "scores": scores}

    _save(directory, tf.Module(), serving_default=serve)


def save_two_headed(directory: Path) -> None:
    """Returns two outputs that have labels of their own."""
    import tensorflow as tf

    @tf.function(input_signature=_serialized())
    def serve(examples):
        parsed = tf.io.parse_example(examples, _floats("x", "y", width=1))
        return {"likes": parsed["x"], "minutes": parsed["y"]}

    _save(directory, tf.Module(), serving_default=serve)


def _save_litert(directory: Path, serve: Any) -> None:
    import tensorflow as tf

    module = tf.Module()
    converter = tf.lite.TFLiteConverter.from_concrete_functions(
        [serve.get_concrete_function()], module
    )
    directory.mkdir(parents=True)
    (directory / "tflite").write_bytes(converter.convert())


def save_litert_scorer(directory: Path, factor: float = 1.0, batch: int | None = None) -> None:
    """A LiteRT model of two features."""
    import tensorflow as tf

    @tf.function(
        input_signature=[
            tf.TensorSpec([batch, 1], tf.float32, name="x"),
            tf.TensorSpec([batch, 1], tf.float32, name="size"),
        ]
    )
    def serve(x, size):
        return {"tip": tf.tanh(x * factor) * tf.sqrt(size) / 2.0}

    _save_litert(directory, serve)


def save_worse_litert_scorer(directory: Path) -> None:
    """A baseline that takes an example at a time."""
    save_litert_scorer(directory, factor=0.7, batch=1)


def save_litert_classifier(directory: Path) -> None:
    """A LiteRT model with two outputs."""
    import tensorflow as tf

    @tf.function(input_signature=[tf.TensorSpec([None, 3], tf.float32, name="p")])
    def serve(p):
        return {"logits": tf.math.log(p), "probabilities": tf.nn.softmax(tf.math.log(p))}

    _save_litert(directory, serve)


def save_regressor(directory: Path) -> None:
    """Returns a number of minutes."""
    import tensorflow as tf

    @tf.function(input_signature=_serialized())
    def serve(examples):
        return {"outputs": tf.io.parse_example(examples, _floats("y"))["y"]}

    _save(directory, tf.Module(), serving_default=serve)


def save_estimator_like(directory: Path) -> None:
    """Has `predict` with everything, and `serving_default` with something else."""
    import tensorflow as tf

    @tf.function(input_signature=_serialized())
    def predict(examples):
        x = tf.io.parse_example(examples, _floats("x", width=1))["x"]
        both = tf.concat([1 - x, x], axis=1)
        return {
            "logits": tf.math.log(x / (1 - x)),
            "logistic": x,
            "probabilities": both,
            "class_ids": tf.argmax(both, axis=1)[:, tf.newaxis],
            "classes": tf.strings.as_string(tf.argmax(both, axis=1)[:, tf.newaxis]),
            "all_class_ids": tf.tile([[0, 1]], [tf.shape(x)[0], 1]),
            "all_classes": tf.tile([[b"0", b"1"]], [tf.shape(x)[0], 1]),
        }

    @tf.function(input_signature=_serialized())
    def classify(examples):
        x = tf.io.parse_example(examples, _floats("x", width=1))["x"]
        classes = tf.tile([[b"0", b"1"]], [tf.shape(x)[0], 1])
        return {"classes": classes, "scores": tf.concat([1 - x, x], axis=1)}

    _save(directory, tf.Module(), predict=predict, serving_default=classify)


def save_dense_fed(directory: Path) -> None:
    """Takes features by name: a float, an integer and a vector."""
    import tensorflow as tf

    features = {
        "x": tf.TensorSpec([None, 1], tf.float32, name="x"),
        "class_number": tf.TensorSpec([None, 1], tf.int64, name="class_number"),
        "p": tf.TensorSpec([None, 3], tf.float32, name="p"),
    }

    @tf.function(input_signature=[features])
    def serve(features):
        number = tf.cast(features["class_number"], tf.float32)
        return {"tip": 0.8 * features["x"] + 0.1 * features["p"][:, 1:2] + 0.05 * number}

    _save(directory, tf.Module(), serving_default=serve)


def save_keras_3(directory: Path) -> None:
    """`model.export()` of Keras 3, which is fed features by name."""
    import keras

    keras.utils.set_random_seed(3)
    inputs = {name: keras.Input((1,), name=name) for name in ("x", "size")}
    hidden = keras.layers.Dense(4, activation="relu")(keras.layers.concatenate([*inputs.values()]))
    model = keras.Model(inputs, keras.layers.Dense(1, activation="sigmoid")(hidden))
    model.export(str(directory), verbose=False)


def _model(library: Any, seed: int = 3) -> Any:
    library.utils.set_random_seed(seed)
    inputs = {name: library.Input((1,), name=name) for name in ("x", "size")}
    joined = library.layers.concatenate([*inputs.values()])
    hidden = library.layers.Dense(4, activation="relu")(joined)
    hidden = library.layers.Dropout(0.5)(hidden)
    score = library.layers.Dense(1, activation="sigmoid", name="score")(hidden)
    return library.Model(inputs, score)


def save_keras_2(directory: Path) -> None:
    """A model of Keras 2, another one in its signature, and a layer that makes labels."""
    import tensorflow as tf
    import tf_keras

    model = _model(tf_keras)
    kind = tf_keras.Input((1,), name="kind", dtype=tf.string)
    is_good = tf_keras.layers.StringLookup(vocabulary=["good"])(kind)
    model.transform_layer = tf_keras.Model({"kind": kind}, {"is_good": is_good})

    @tf.function(input_signature=_serialized())
    def serve(examples):
        parsed = tf.io.parse_example(examples, _floats("x", "size", width=1))
        return {"tip": 1 - model(parsed)}

    model.save(str(directory), save_format="tf", signatures={"serving_default": serve})


def save_keras_2_sparse(directory: Path) -> None:
    """A model of Keras 2 that takes any number of strings, some examples without any."""
    import tensorflow as tf
    import tf_keras

    tf_keras.utils.set_random_seed(3)
    x = tf_keras.Input((1,), name="x")
    tags = tf_keras.Input((None,), name="tags", dtype=tf.string, sparse=True)
    which = tf_keras.layers.StringLookup(vocabulary=["a", "b"], output_mode="multi_hot")(tags)
    score = tf_keras.layers.Dense(1, activation="sigmoid")(tf_keras.layers.concatenate([x, which]))
    tf_keras.Model({"x": x, "tags": tags}, score).save(str(directory), save_format="tf")


def save_keras_2_alone(directory: Path) -> None:
    """A model of Keras 2 that TensorFlow saves, with the signature that Keras gives it."""
    import tensorflow as tf
    import tf_keras

    tf.saved_model.save(_model(tf_keras), str(directory))


def save_compiled(directory: Path, seed: int = 3) -> None:
    """A model of Keras 2 that was compiled with a loss and metrics, weighted ones among them."""
    import tf_keras

    model = _model(tf_keras, seed)
    _compile(model, tf_keras)
    model.save(str(directory), save_format="tf")


def save_compiled_keras_3(directory: Path) -> None:
    """The same model as one of Keras 3, as it is saved in a Trainer."""
    import keras
    import tf_keras

    from trainwright.components.user_training.keras_saving import write_compile_config

    model = _model(keras)
    model.set_weights(_model(tf_keras).get_weights())
    _compile(model, keras)
    model.export(str(directory), verbose=False)
    write_compile_config(model, str(directory))


def _compile(model: Any, library: Any) -> None:
    # By name: Keras numbers the metrics of a process.
    metrics = library.metrics
    model.compile(
        "sgd",
        "binary_crossentropy",
        metrics=[
            *("accuracy", "mae", metrics.AUC(name="auc")),
            metrics.Precision(name="precision", thresholds=0.4),
        ],
        weighted_metrics=[
            metrics.BinaryAccuracy(name="weighed", threshold=0.4),
            metrics.Recall(name="recall"),
        ],
    )


def save_compiled_differently(directory: Path) -> None:
    """A baseline for it."""
    save_compiled(directory, seed=4)


def save_compiled_classifier(directory: Path) -> None:
    """A model of three classes that was compiled with metrics of class numbers."""
    import tf_keras

    tf_keras.utils.set_random_seed(3)
    p = tf_keras.Input((3,), name="p")
    model = tf_keras.Model({"p": p}, tf_keras.layers.Dense(3)(p))
    model.compile(
        "sgd",
        tf_keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=[
            "sparse_categorical_accuracy",
            tf_keras.metrics.SparseTopKCategoricalAccuracy(k=2),
            tf_keras.metrics.SparseCategoricalCrossentropy(from_logits=True, name="entropy"),
        ],
    )
    model.save(str(directory), save_format="tf")


def save_compiled_two_headed(directory: Path) -> None:
    """A model with two outputs, each with a loss and metrics of its own."""
    import tf_keras

    tf_keras.utils.set_random_seed(3)
    inputs = {name: tf_keras.Input((1,), name=name) for name in ("x", "y")}
    joined = tf_keras.layers.concatenate([*inputs.values()])
    outputs = {
        "likes": tf_keras.layers.Dense(1, activation="sigmoid", name="likes")(joined),
        "minutes": tf_keras.layers.Dense(1, name="minutes")(joined),
    }
    model = tf_keras.Model(inputs, outputs)
    model.compile(
        "sgd",
        loss={"likes": "binary_crossentropy", "minutes": tf_keras.losses.Huber()},
        loss_weights={"likes": 2.0, "minutes": 0.25},
        metrics={"likes": ["accuracy", tf_keras.metrics.AUC()], "minutes": ["mae"]},
        weighted_metrics={"minutes": ["mse"]},
    )
    model.save(str(directory), save_format="tf")
