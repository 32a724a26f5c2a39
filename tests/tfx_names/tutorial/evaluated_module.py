"""A module file as TFX tutorials have it: tf.keras, and a model of serialized examples."""

import tensorflow as tf
from tfx_bsl.public import tfxio

from tfx import v1 as tfx

FEATURES = ["bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g"]
LABEL = "species"


def _input_fn(file_pattern, data_accessor, schema, batch_size):
    return data_accessor.tf_dataset_factory(
        file_pattern,
        tfxio.TensorFlowDatasetOptions(batch_size=batch_size, label_key=LABEL),
        schema=schema,
    ).repeat()


def _serve_fn(model, spec):
    @tf.function(input_signature=[tf.TensorSpec([None], tf.string, name="examples")])
    def serve(examples):
        return {"outputs": model(tf.io.parse_example(examples, spec))}

    return serve


def run_fn(fn_args: tfx.components.FnArgs):
    tf.keras.utils.set_random_seed(7)
    spec = {name: tf.io.FixedLenFeature([1], tf.float32) for name in FEATURES}
    schema = tfx.utils.parse_pbtxt_file(fn_args.schema_path, _schema_class())
    train = _input_fn(fn_args.train_files, fn_args.data_accessor, schema, 20)
    inputs = [tf.keras.Input((1,), name=name) for name in FEATURES]
    hidden = tf.keras.layers.Dense(8, activation="relu")(tf.keras.layers.concatenate(inputs))
    model = tf.keras.Model(inputs, tf.keras.layers.Dense(3)(hidden))
    model.compile(
        optimizer=tf.keras.optimizers.Adam(1e-2),
        loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=[tf.keras.metrics.SparseCategoricalAccuracy()],
    )
    model.fit(train, steps_per_epoch=fn_args.train_steps, verbose=0)
    signatures = {"serving_default": _serve_fn(model, spec)}
    model.save(fn_args.serving_model_dir, save_format="tf", signatures=signatures)


def _schema_class():
    from tensorflow_metadata.proto.v0 import schema_pb2

    return schema_pb2.Schema()
