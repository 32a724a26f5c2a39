"""Keras without Transform: everything about the features comes from the schema."""

import tensorflow as tf
from tensorflow_metadata.proto.v0 import schema_pb2
from tfx_bsl.tfxio import dataset_options

from tfx.components.trainer.executor import TrainerFnArgs
from tfx.utils import io_utils

_FEATURE_KEYS = ["trip_miles", "fare"]
_LABEL_KEY = "big_tipper"
_DTYPES = {schema_pb2.INT: tf.int64, schema_pb2.FLOAT: tf.float32, schema_pb2.BYTES: tf.string}


def _get_raw_feature_spec(schema):
    return {
        feature.name: tf.io.FixedLenFeature([1], _DTYPES[feature.type])
        for feature in schema.feature
    }


def _input_fn(file_pattern, data_accessor, schema, batch_size=20):
    return data_accessor.tf_dataset_factory(
        file_pattern,
        dataset_options.TensorFlowDatasetOptions(batch_size=batch_size, label_key=_LABEL_KEY),
        schema,
    )


def _build_keras_model():
    inputs = [tf.keras.layers.Input(shape=(1,), name=key) for key in _FEATURE_KEYS]
    output = tf.keras.layers.Dense(1, activation="sigmoid")(tf.keras.layers.concatenate(inputs))
    model = tf.keras.Model(inputs=inputs, outputs=output)
    model.compile(
        loss="binary_crossentropy",
        optimizer=tf.keras.optimizers.Adam(0.2),
        metrics=[tf.keras.metrics.BinaryAccuracy()],
    )
    return model


def _get_serve_tf_examples_fn(model, schema):
    @tf.function
    def serve_tf_examples_fn(serialized_tf_examples):
        feature_spec = _get_raw_feature_spec(schema)
        feature_spec.pop(_LABEL_KEY)
        parsed_features = tf.io.parse_example(serialized_tf_examples, feature_spec)
        return model(parsed_features)

    return serve_tf_examples_fn


def run_fn(fn_args: TrainerFnArgs):
    schema = io_utils.parse_pbtxt_file(fn_args.schema_file, schema_pb2.Schema())
    train_dataset = _input_fn(fn_args.train_files, fn_args.data_accessor, schema)
    eval_dataset = _input_fn(fn_args.eval_files, fn_args.data_accessor, schema)
    model = _build_keras_model()
    model.fit(
        train_dataset,
        steps_per_epoch=fn_args.train_steps,
        validation_data=eval_dataset,
        validation_steps=fn_args.eval_steps,
    )
    signatures = {
        "serving_default": _get_serve_tf_examples_fn(model, schema).get_concrete_function(
            tf.TensorSpec(shape=[None], dtype=tf.string, name="examples")
        ),
    }
    model.save(fn_args.serving_model_dir, save_format="tf", signatures=signatures)
