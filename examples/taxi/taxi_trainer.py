"""The module file of the taxi pipeline: will the passenger give a good tip?"""

from __future__ import annotations

import tensorflow as tf
import tensorflow_transform as tft
from taxi_preprocessing import (
    BUCKETED,
    BUCKETS,
    LABEL,
    SCORED,
    UNKNOWN_WORDS,
    VOCABULARIES,
    VOCABULARY_SIZE,
    transformed_name,
)

from trainwright import TensorFlowDatasetOptions
from trainwright.components import FnArgs

BATCH_SIZE = 40
LABEL_NAME = transformed_name(LABEL)

# One more than the greatest value; what is above counts as the greatest.
CATEGORY_SIZES = {
    "trip_start_hour": 24,
    "trip_start_day": 8,
    "trip_start_month": 13,
    "pickup_community_area": 78,
    "dropoff_community_area": 78,
}


def run_fn(fn_args: FnArgs) -> None:
    """Trains on the features that Transform made and saves a model that takes raw trips."""
    tf.keras.utils.set_random_seed(2013)
    transform = tft.TFTransformOutput(fn_args.transform_graph_path)
    train = make_dataset(fn_args.train_files, fn_args, transform, epochs=None)
    evaluation = make_dataset(fn_args.eval_files, fn_args, transform, epochs=1)
    model = make_model()
    model.fit(
        train,
        steps_per_epoch=fn_args.train_steps,
        validation_data=evaluation,
        validation_steps=fn_args.eval_steps,
        verbose=2,
    )
    save(model, transform, fn_args.serving_model_dir)


def make_dataset(files, fn_args, transform, epochs) -> tf.data.Dataset:
    return fn_args.data_accessor.tf_dataset_factory(
        files,
        TensorFlowDatasetOptions(batch_size=BATCH_SIZE, label_key=LABEL_NAME, num_epochs=epochs),
        transform.transformed_metadata.schema,
    )


def make_model() -> tf.keras.Model:
    """Scores and categories side by side into a small network."""
    inputs, parts = {}, []
    for name in SCORED:
        inputs[transformed_name(name)] = score = tf.keras.Input((), name=transformed_name(name))
        parts.append(tf.keras.layers.Reshape((1,))(score))
    sizes = {
        **dict.fromkeys(VOCABULARIES, VOCABULARY_SIZE + UNKNOWN_WORDS),
        **dict.fromkeys(BUCKETED, BUCKETS),
        **CATEGORY_SIZES,
    }
    for name, size in sizes.items():
        number = tf.keras.Input((), name=transformed_name(name), dtype=tf.int64)
        inputs[transformed_name(name)] = number
        clipped = tf.keras.layers.Lambda(_clip, arguments={"size": size})(number)
        parts.append(tf.keras.layers.Embedding(size, 4)(clipped))
    hidden = tf.keras.layers.concatenate(parts)
    for width in (32, 16):
        hidden = tf.keras.layers.Dense(width, activation="relu")(hidden)
    model = tf.keras.Model(inputs, tf.keras.layers.Dense(1, activation="sigmoid")(hidden))
    model.compile(optimizer=tf.keras.optimizers.Adam(2e-3), loss="binary_crossentropy")
    return model


def _clip(number, size):
    return tf.clip_by_value(number, 0, size - 1)


def save(model, transform, directory) -> None:
    """Saves with signatures that take raw trips: to serve, and to make labels for the Evaluator."""
    model.transform_layer = transform.transform_features_layer()
    raw_spec = transform.raw_feature_spec()
    unlabelled = {name: feature for name, feature in raw_spec.items() if name != LABEL}

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string, name="examples")])
    def serve_examples(examples):
        transformed = model.transform_layer(tf.io.parse_example(examples, unlabelled))
        return {"good_tip": model(transformed)}

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string, name="examples")])
    def transform_features(examples):
        return model.transform_layer(tf.io.parse_example(examples, raw_spec))

    tf.saved_model.save(
        model,
        directory,
        signatures={"serving_default": serve_examples, "transform_features": transform_features},
    )
