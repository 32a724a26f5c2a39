"""A module file that knows only TFX's names and reads the examples with tf.data."""

import tensorflow as tf

from tfx import v1 as tfx

MEASUREMENTS = {"bill_length_mm": 40.0, "bill_depth_mm": 20.0, "flipper_length_mm": 200.0}
SPECIES = ["Adelie", "Chinstrap", "Gentoo"]
BATCH_SIZE = 16

FEATURE_SPEC = {
    "bill_length_mm": tf.io.FixedLenFeature([1], tf.float32),
    "bill_depth_mm": tf.io.FixedLenFeature([1], tf.float32),
    "flipper_length_mm": tf.io.FixedLenFeature([1], tf.int64),
}


def scaled(features):
    columns = [tf.cast(features[name], tf.float32) / MEASUREMENTS[name] for name in MEASUREMENTS]
    return tf.concat(columns, axis=1)


def read(file_patterns):
    """Endless batches of (scaled measurements, number of the species)."""
    spec = {**FEATURE_SPEC, "species": tf.io.FixedLenFeature([], tf.string)}
    species = tf.constant(SPECIES)

    def parse(serialized):
        features = tf.io.parse_example(serialized, spec)
        label = tf.argmax(features["species"][:, None] == species[None, :], axis=1)
        return scaled(features), label

    files = tf.data.Dataset.list_files(file_patterns, shuffle=False)
    records = tf.data.TFRecordDataset(files, compression_type="GZIP")
    return records.repeat().batch(BATCH_SIZE).map(parse)


def run_fn(fn_args: tfx.components.FnArgs):
    assert isinstance(fn_args.data_accessor, tfx.components.DataAccessor)
    model = tf.keras.Sequential(
        [
            tf.keras.Input((len(MEASUREMENTS),)),
            tf.keras.layers.Dense(8, activation="relu"),
            tf.keras.layers.Dense(len(SPECIES)),
        ]
    )
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(
        read(fn_args.train_files),
        steps_per_epoch=fn_args.train_steps,
        validation_data=read(fn_args.eval_files),
        validation_steps=fn_args.eval_steps,
        verbose=0,
    )

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string, name="examples")])
    def serve(examples):
        return {"logits": model(scaled(tf.io.parse_example(examples, FEATURE_SPEC)))}

    tf.saved_model.save(model, fn_args.serving_model_dir, signatures={"serving_default": serve})
