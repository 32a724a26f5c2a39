"""A Keras network that says whether a passenger tips well; `run_fn` is called by the Trainer."""

import tensorflow as tf
import tensorflow_transform as tft
from models import features
from models.keras_model import constants
from tfx import v1 as tfx


def run_fn(fn_args: tfx.components.FnArgs) -> None:
    """Trains on what Transform made, and saves a model that takes trips as they are."""
    tf.keras.utils.set_random_seed(2013)
    transform_output = tft.TFTransformOutput(fn_args.transform_graph_path)
    model = build_model()
    model.fit(
        read_examples(fn_args.train_files, transform_output, constants.TRAIN_BATCH_SIZE),
        steps_per_epoch=fn_args.train_steps,
        validation_data=read_examples(
            fn_args.eval_files, transform_output, constants.EVAL_BATCH_SIZE
        ),
        validation_steps=fn_args.eval_steps,
        callbacks=[tf.keras.callbacks.TensorBoard(fn_args.model_run_dir)],
        verbose=2,
    )
    tf.saved_model.save(
        model, fn_args.serving_model_dir, signatures=make_signatures(model, transform_output)
    )


def read_examples(files, transform_output, batch_size) -> tf.data.Dataset:
    """Endless batches of features and labels."""
    return tf.data.experimental.make_batched_features_dataset(
        files,
        batch_size=batch_size,
        features=transform_output.transformed_feature_spec(),
        reader=lambda names: tf.data.TFRecordDataset(names, compression_type="GZIP"),
        label_key=features.transformed_name(features.LABEL_KEY),
        shuffle_seed=2013,
    )


def build_model(hidden_units=constants.HIDDEN_UNITS) -> tf.keras.Model:
    """Numbers and embedded categories side by side, into a small network."""
    inputs, parts = {}, []
    for key in features.DENSE_FLOAT_FEATURE_KEYS:
        name = features.transformed_name(key)
        inputs[name] = tf.keras.Input((), name=name)
        parts.append(tf.keras.layers.Reshape((1,))(inputs[name]))
    for name, size in features.category_sizes().items():
        inputs[name] = tf.keras.Input((), name=name, dtype=tf.int64)
        known = tf.keras.layers.Lambda(_clip, arguments={"size": size})(inputs[name])
        parts.append(tf.keras.layers.Embedding(size, constants.EMBEDDING_SIZE)(known))
    hidden = tf.keras.layers.concatenate(parts)
    for units in hidden_units:
        hidden = tf.keras.layers.Dense(units, activation="relu")(hidden)
    model = tf.keras.Model(inputs, tf.keras.layers.Dense(1, activation="sigmoid")(hidden))
    model.compile(
        optimizer=tf.keras.optimizers.Adam(constants.LEARNING_RATE),
        loss="binary_crossentropy",
        metrics=[tf.keras.metrics.BinaryAccuracy()],
    )
    return model


def _clip(number, size):
    """What is beyond the known categories counts as the last of them."""
    return tf.clip_by_value(number, 0, size - 1)


def make_signatures(model, transform_output):
    """What the saved model can be asked for: a tip's chances, and the transformed features."""
    model.transform_layer = transform_output.transform_features_layer()  # saved with the model
    raw_spec = transform_output.raw_feature_spec()
    # Nobody knows the tip when the model is served.
    unlabelled = {key: spec for key, spec in raw_spec.items() if key != features.LABEL_KEY}

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string, name="examples")])
    def serve_examples(examples):
        transformed = model.transform_layer(tf.io.parse_example(examples, unlabelled))
        return {"outputs": model(transformed)}

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string, name="examples")])
    def transform_features(examples):
        return model.transform_layer(tf.io.parse_example(examples, raw_spec))

    return {"serving_default": serve_examples, "transform_features": transform_features}
