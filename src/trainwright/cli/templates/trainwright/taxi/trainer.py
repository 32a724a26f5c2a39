"""A Keras network that says whether a passenger tips well; `run_fn` is called by the Trainer."""

import features
import tensorflow as tf
import tensorflow_transform as tft

from trainwright import TensorFlowDatasetOptions
from trainwright.components import FnArgs

EMBEDDING_SIZE = 4
HIDDEN_UNITS = (32, 16)
LEARNING_RATE = 2e-3
BATCH_SIZE = 40


def run_fn(fn_args: FnArgs) -> None:
    """Trains on what Transform made, and saves a model that takes trips as they are."""
    tf.keras.utils.set_random_seed(2013)
    transform_output = tft.TFTransformOutput(fn_args.transform_graph_path)
    model = build_model()
    model.fit(
        read_examples(fn_args.train_files, fn_args, transform_output, epochs=None),
        steps_per_epoch=fn_args.train_steps,
        validation_data=read_examples(fn_args.eval_files, fn_args, transform_output, epochs=1),
        validation_steps=fn_args.eval_steps,
        callbacks=[tf.keras.callbacks.TensorBoard(fn_args.model_run_dir)],
        verbose=2,
    )
    tf.saved_model.save(
        model, fn_args.serving_model_dir, signatures=make_signatures(model, transform_output)
    )


def read_examples(files, fn_args: FnArgs, transform_output, epochs) -> tf.data.Dataset:
    """Batches of features and labels."""
    options = TensorFlowDatasetOptions(
        batch_size=BATCH_SIZE,
        label_key=features.transformed_name(features.LABEL_KEY),
        num_epochs=epochs,
    )
    return fn_args.data_accessor.tf_dataset_factory(
        files, options, transform_output.transformed_metadata.schema
    )


def build_model(hidden_units=HIDDEN_UNITS) -> tf.keras.Model:
    """Numbers and embedded categories side by side, into a small network."""
    inputs, parts = {}, []
    for key in features.DENSE_FLOAT_FEATURE_KEYS:
        name = features.transformed_name(key)
        inputs[name] = tf.keras.Input((), name=name)
        parts.append(tf.keras.layers.Reshape((1,))(inputs[name]))
    for name, size in features.category_sizes().items():
        inputs[name] = tf.keras.Input((), name=name, dtype=tf.int64)
        known = tf.keras.layers.Lambda(_clip, arguments={"size": size})(inputs[name])
        parts.append(tf.keras.layers.Embedding(size, EMBEDDING_SIZE)(known))
    hidden = tf.keras.layers.concatenate(parts)
    for units in hidden_units:
        hidden = tf.keras.layers.Dense(units, activation="relu")(hidden)
    model = tf.keras.Model(inputs, tf.keras.layers.Dense(1, activation="sigmoid")(hidden))
    model.compile(
        optimizer=tf.keras.optimizers.Adam(LEARNING_RATE),
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
