"""A small Keras network that tells the species of a penguin; `run_fn` is called by the Trainer."""

import tensorflow as tf
import tensorflow_transform as tft
from models import constants, features
from tfx import v1 as tfx


def run_fn(fn_args: tfx.components.FnArgs) -> None:
    """Trains on what Transform made, and saves a model that takes penguins as they are."""
    tf.keras.utils.set_random_seed(2014)
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
        shuffle_seed=2014,
    )


def build_model() -> tf.keras.Model:
    """A network with an input for each measurement and a score for each species."""
    names = [features.transformed_name(key) for key in features.MEASUREMENT_KEYS]
    inputs = {name: tf.keras.Input(shape=(1,), name=name) for name in names}
    hidden = tf.keras.layers.concatenate([inputs[name] for name in names])
    for units in constants.HIDDEN_UNITS:
        hidden = tf.keras.layers.Dense(units, activation="relu")(hidden)
    model = tf.keras.Model(inputs, tf.keras.layers.Dense(features.NUM_SPECIES)(hidden))
    model.compile(
        optimizer=tf.keras.optimizers.Adam(constants.LEARNING_RATE),
        loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
    )
    return model


def make_signatures(model, transform_output):
    """What the saved model can be asked for: scores of penguins, and their transformed features."""
    model.transform_layer = transform_output.transform_features_layer()  # saved with the model
    raw_spec = transform_output.raw_feature_spec()
    # Nobody knows the label when the model is served.
    unlabelled = {key: spec for key, spec in raw_spec.items() if key != features.LABEL_KEY}

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string, name="examples")])
    def serve_examples(examples):
        transformed = model.transform_layer(tf.io.parse_example(examples, unlabelled))
        return {"outputs": model(transformed)}

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string, name="examples")])
    def transform_features(examples):
        return model.transform_layer(tf.io.parse_example(examples, raw_spec))

    return {"serving_default": serve_examples, "transform_features": transform_features}
