"""Models that say what the examples hold, so that metrics are known beforehand."""

from __future__ import annotations

from trainwright.data.example_messages import example_class


def save_scorer(directory, *, shift=0.0, output="scores", nan_below=None, label_function=False):
    """Saves a model whose prediction is the feature `x`, shifted."""
    import tensorflow as tf

    spec = {"x": tf.io.FixedLenFeature([], tf.float32)}
    signature = [tf.TensorSpec([None], tf.string, name="examples")]
    model = tf.Module()
    model.shift = tf.Variable(shift)

    @tf.function(input_signature=signature)
    def serve(examples):
        score = tf.io.parse_example(examples, spec)["x"] + model.shift
        if nan_below is not None:
            score = tf.where(score < nan_below, float("nan"), score)
        return {output: score}

    @tf.function(input_signature=signature)
    def number_labels(examples):
        parsed = tf.io.parse_example(examples, {"kind": tf.io.FixedLenFeature([], tf.string)})
        return {"is_good": tf.cast(parsed["kind"] == "good", tf.int64)}

    model.serve, signatures = serve, {"serving_default": serve}
    if label_function:
        model.number_labels = signatures["number_labels"] = number_labels
    tf.saved_model.save(model, str(directory), signatures=signatures)


def save_class_scorer(directory):
    """Saves a model of three classes whose texts it knows; the prediction is the feature `p`."""
    import tensorflow as tf

    model = tf.Module()

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string, name="examples")])
    def serve(examples):
        scores = tf.io.parse_example(examples, {"p": tf.io.FixedLenFeature([3], tf.float32)})["p"]
        classes = tf.tile([[b"Adelie", b"Chinstrap", b"Gentoo"]], [tf.shape(scores)[0], 1])
        return {"scores": scores, "classes": classes}

    model.serve = serve
    tf.saved_model.save(model, str(directory), signatures={"serving_default": serve})


def save_feature_model(directory):
    """Saves a model that is fed features by name, as Keras exports them."""
    import tensorflow as tf

    model = tf.Module()

    @tf.function(
        input_signature=[
            {
                "x": tf.TensorSpec([None, 1], tf.float32, name="x"),
                "year": tf.TensorSpec([None, 1], tf.float32, name="year"),
            }
        ]
    )
    def serve(features):
        return {"scores": features["x"][:, 0] + 0.0 * features["year"][:, 0]}

    model.serve = serve
    tf.saved_model.save(model, str(directory), signatures={"serving_default": serve})


def save_two_headed(directory):
    """Saves a model with two outputs, `likes` and `minutes`."""
    import tensorflow as tf

    model = tf.Module()
    spec = {
        "x": tf.io.FixedLenFeature([], tf.float32),
        "y": tf.io.FixedLenFeature([], tf.float32),
    }

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string, name="examples")])
    def serve(examples):
        parsed = tf.io.parse_example(examples, spec)
        return {"likes": parsed["x"], "minutes": parsed["y"]}

    model.serve = serve
    tf.saved_model.save(model, str(directory), signatures={"serving_default": serve})


def save_eval_model(directory):
    """Saves an EvalSavedModel: predictions, labels and features in one signature."""
    import tensorflow as tf

    graph = tf.Graph()
    with graph.as_default():
        examples = tf.compat.v1.placeholder(tf.string, [None], name="examples")
        parsed = tf.io.parse_example(
            examples,
            {
                "x": tf.io.FixedLenFeature([], tf.float32),
                "label": tf.io.FixedLenFeature([], tf.int64),
                "town": tf.io.FixedLenFeature([], tf.string),
            },
        )
        outputs = {
            "predictions/logistic": parsed["x"],
            "labels/__labels": parsed["label"],
            "features/place": parsed["town"],
            "loss": tf.constant(0.0),
        }
        builder = tf.compat.v1.saved_model.Builder(str(directory))
        with tf.compat.v1.Session(graph=graph) as session:
            definition = tf.compat.v1.saved_model.build_signature_def(
                {"examples": tf.compat.v1.saved_model.build_tensor_info(examples)},
                {
                    name: tf.compat.v1.saved_model.build_tensor_info(tensor)
                    for name, tensor in outputs.items()
                },
                "eval",
            )
            builder.add_meta_graph_and_variables(
                session, ["eval"], signature_def_map={"eval": definition}
            )
        builder.save()


def make_example(**features) -> bytes:
    """A serialized tf.Example: numbers with a point are floats, texts bytes; None is left out."""
    example = example_class()()
    for name, value in features.items():
        values = value if isinstance(value, list) else [value]
        if value is None:
            continue
        if isinstance(values[0], float):
            example.features.feature[name].float_list.value.extend(values)
        elif isinstance(values[0], int):
            example.features.feature[name].int64_list.value.extend(values)
        else:
            texts = [text.encode() for text in values]
            example.features.feature[name].bytes_list.value.extend(texts)
    return example.SerializeToString()


def save_compiled_keras_2(directory, *, shift=0.0, loss="mse"):
    """Saves a model of Keras 2 whose prediction is the feature `x`, shifted, and how it trained."""
    import tf_keras

    model = _compiled(tf_keras, shift, loss)
    model.save(str(directory), save_format="tf")


def save_compiled_by_tensorflow(directory):
    """Saves a model of Keras 2 with `tf.saved_model.save`, as it is saved in a Trainer."""
    import tensorflow as tf
    import tf_keras

    from trainwright.components.user_training import keras_saving

    model = _compiled(tf_keras, 0.0, "mse")
    tf.saved_model.save(model, str(directory))
    keras_saving.write_compile_config(model, str(directory))


def save_compiled_keras_3(directory, *, shift=0.0, loss="mse"):
    """Saves a model of Keras 3, as it is saved in a Trainer."""
    import keras

    from trainwright.components.user_training import keras_saving

    model = _compiled(keras, shift, loss)
    model.export(str(directory), verbose=False)
    keras_saving.write_compile_config(model, str(directory))


def _compiled(library, shift, loss):
    x = library.Input((1,), name="x")
    bias = library.initializers.Constant(shift)
    score = library.layers.Dense(1, "linear", True, "ones", bias, name="score")(x)
    model = library.Model({"x": x}, score)
    metrics = ["accuracy", "mae", library.metrics.Precision(name="precision")]
    model.compile("sgd", loss, metrics=metrics, weighted_metrics=["mse"])
    return model
