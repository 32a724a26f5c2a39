"""SavedModels of the shapes that a BulkInferrer meets."""

from __future__ import annotations

SPECIES = [b"Adelie", b"Chinstrap", b"Gentoo"]


def save_penguin(directory, **signatures):
    """A model as TFX's penguin example saves it, with more outputs of other types and shapes."""
    import tensorflow as tf

    model = tf.Module()
    model.weight = tf.Variable([[1.0, -1.0, 0.5]])

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string, name="examples")])
    def serve(examples):
        x = tf.io.parse_example(examples, {"x": tf.io.FixedLenFeature([1], tf.float32)})["x"]
        scores = tf.nn.softmax(x * model.weight)
        best = tf.argmax(scores, axis=-1)
        count = tf.cast(tf.abs(x[:, 0]), tf.int32) % 3
        return {
            "outputs": scores,
            "best": best,
            "species": tf.gather(tf.constant(SPECIES), best),
            "all_species": tf.tile([SPECIES], [tf.shape(x)[0], 1]),
            "score": scores[:, 0],
            "is_large": x[:, 0] > 1.0,
            "counts": tf.stack([count, count + 1], axis=1),
            "exact": tf.cast(x, tf.float64),
            "small": tf.cast(count, tf.uint8),
            "half": tf.cast(scores, tf.float16),
            "matrix": scores[:, :, tf.newaxis] * scores[:, tf.newaxis, :],
            "cube": tf.reshape(tf.repeat(scores, 2, axis=1), [-1, 1, 3, 2]),
        }

    model.serve = serve
    tf.saved_model.save(model, str(directory), signatures={"serving_default": serve, **signatures})


def save_ragged(directory):
    """A model that returns as many values as `x` says, and the letters of a string."""
    import tensorflow as tf

    model = tf.Module()

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string, name="examples")])
    def serve(examples):
        x = tf.io.parse_example(examples, {"x": tf.io.FixedLenFeature([], tf.float32)})["x"]
        return {"upto": tf.ragged.range(tf.cast(x, tf.int64)), "x": x}

    model.serve = serve
    tf.saved_model.save(model, str(directory), signatures={"serving_default": serve})


def save_by_features(directory):
    """A model that is fed features by name, as Keras exports it."""
    import tensorflow as tf

    model = tf.Module()

    @tf.function(
        input_signature=[
            {
                "x": tf.TensorSpec([None, 1], tf.float32, name="x"),
                "kind": tf.TensorSpec([None, 1], tf.string, name="kind"),
            }
        ]
    )
    def serve(features):
        return {"length": tf.strings.length(features["kind"]), "twice": features["x"] * 2.0}

    model.serve = serve
    tf.saved_model.save(model, str(directory), signatures={"serving_default": serve})


def save_as_it_is(directory, *, batch_dimension=True):
    """A model that takes records of any kind: how long each is."""
    import tensorflow as tf

    model = tf.Module()

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string, name="records")])
    def serve(records):
        lengths = tf.strings.length(records)
        return {"length": lengths if batch_dimension else tf.reduce_sum(lengths)}

    model.serve = serve
    tf.saved_model.save(model, str(directory), signatures={"serving_default": serve})


def save_estimator(directory):
    """A model with signatures that classify and regress, as Estimators export them."""
    import tensorflow as tf

    v1 = tf.compat.v1
    with tf.Graph().as_default(), v1.Session() as session:
        examples = v1.placeholder(tf.string, [None], name="examples")
        x = tf.io.parse_example(examples, {"x": tf.io.FixedLenFeature([1], tf.float32)})["x"]
        scores = tf.concat([tf.sigmoid(-x), tf.sigmoid(x)], axis=1)
        classes = tf.tile([["no", "yes"]], [tf.shape(x)[0], 1])
        signatures = {
            "serving_default": v1.saved_model.classification_signature_def(
                examples, classes, scores
            ),
            "only_scores": v1.saved_model.classification_signature_def(examples, None, scores),
            "regression": v1.saved_model.regression_signature_def(examples, x * 2.0),
            "predict": v1.saved_model.predict_signature_def({"examples": examples}, {"x": x}),
        }
        builder = v1.saved_model.Builder(str(directory))
        builder.add_meta_graph_and_variables(session, ["serve"], signatures)
        builder.save()
