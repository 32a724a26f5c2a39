"""The module file of the taxi pipeline: scaled, bucketized and counted features."""

import tensorflow as tf
import tensorflow_transform as tft
from absl import logging
from tfx_bsl.tfxio import dataset_options

from tfx.components.trainer.executor import TrainerFnArgs
from tfx.components.trainer.fn_args_utils import DataAccessor

_LABEL_KEY = "tips"
_BUCKETS = 4
_VOCAB_SIZE = 10
_OOV_SIZE = 2


def _transformed_name(key):
    return key + "_xf"


def _fill_in_missing(x):
    if not isinstance(x, tf.sparse.SparseTensor):
        return x
    default_value = "" if x.dtype == tf.string else 0
    column = tf.SparseTensor(x.indices, x.values, [x.dense_shape[0], 1])
    return tf.squeeze(tf.sparse.to_dense(column, default_value), axis=1)


def preprocessing_fn(inputs):
    fare = _fill_in_missing(inputs["fare"])
    outputs = {_transformed_name("fare"): tft.scale_to_z_score(fare)}
    for key in ("payment_type", "company"):
        outputs[_transformed_name(key)] = tft.compute_and_apply_vocabulary(
            _fill_in_missing(inputs[key]), top_k=_VOCAB_SIZE, num_oov_buckets=_OOV_SIZE
        )
    outputs[_transformed_name("pickup_latitude")] = tft.bucketize(
        _fill_in_missing(inputs["pickup_latitude"]), _BUCKETS
    )
    outputs[_transformed_name("trip_start_hour")] = _fill_in_missing(inputs["trip_start_hour"])
    tips = _fill_in_missing(inputs[_LABEL_KEY])
    outputs[_transformed_name(_LABEL_KEY)] = tf.where(
        tf.math.is_nan(fare),
        tf.zeros_like(fare, tf.int64),
        tf.cast(tips > fare * tf.constant(0.2), tf.int64),
    )
    return outputs


def _input_fn(
    file_pattern: list[str],
    data_accessor: DataAccessor,
    tf_transform_output: tft.TFTransformOutput,
    batch_size: int = 40,
) -> tf.data.Dataset:
    return data_accessor.tf_dataset_factory(
        file_pattern,
        dataset_options.TensorFlowDatasetOptions(
            batch_size=batch_size, label_key=_transformed_name(_LABEL_KEY)
        ),
        tf_transform_output.transformed_metadata.schema,
    ).repeat()


def _build_keras_model() -> tf.keras.Model:
    sizes = {
        _transformed_name("payment_type"): _VOCAB_SIZE + _OOV_SIZE,
        _transformed_name("company"): _VOCAB_SIZE + _OOV_SIZE,
        _transformed_name("pickup_latitude"): _BUCKETS,
        _transformed_name("trip_start_hour"): 24,
    }
    fare = tf.keras.layers.Input(name=_transformed_name("fare"), shape=(1,), dtype=tf.float32)
    inputs = {name: tf.keras.layers.Input(name=name, shape=(1,), dtype="int32") for name in sizes}
    wide = [
        tf.keras.layers.CategoryEncoding(num_tokens=size)(inputs[name])
        for name, size in sizes.items()
    ]
    deep = tf.keras.layers.Dense(4)(fare)
    output = tf.keras.layers.Dense(1, activation="sigmoid")(
        tf.keras.layers.concatenate([deep, *wide])
    )
    model = tf.keras.Model([fare, *inputs.values()], output)
    model.compile(
        loss="binary_crossentropy",
        optimizer=tf.keras.optimizers.Adam(learning_rate=0.1),
        metrics=[tf.keras.metrics.BinaryAccuracy()],
    )
    model.summary(print_fn=logging.info)
    return model


def run_fn(fn_args: TrainerFnArgs):
    tf_transform_output = tft.TFTransformOutput(fn_args.transform_output)
    train_dataset = _input_fn(fn_args.train_files, fn_args.data_accessor, tf_transform_output)
    eval_dataset = _input_fn(fn_args.eval_files, fn_args.data_accessor, tf_transform_output)
    model = _build_keras_model()
    model.fit(
        train_dataset,
        steps_per_epoch=fn_args.train_steps,
        validation_data=eval_dataset,
        validation_steps=fn_args.eval_steps,
        callbacks=[tf.keras.callbacks.TensorBoard(log_dir=fn_args.model_run_dir)],
    )
    model.tft_layer = tf_transform_output.transform_features_layer()
    examples = tf.TensorSpec(shape=[None], dtype=tf.string, name="examples")

    @tf.function(input_signature=[examples])
    def serve_tf_examples_fn(serialized_tf_example):
        spec = tf_transform_output.raw_feature_spec()
        spec.pop(_LABEL_KEY)
        features = tf.io.parse_example(serialized_tf_example, spec)
        return {"outputs": model(model.tft_layer(features))}

    @tf.function(input_signature=[examples])
    def transform_features_fn(serialized_tf_example):
        spec = tf_transform_output.raw_feature_spec()
        return model.tft_layer(tf.io.parse_example(serialized_tf_example, spec))

    signatures = {
        "serving_default": serve_tf_examples_fn,
        "transform_features": transform_features_fn,
    }
    model.save(fn_args.serving_model_dir, save_format="tf", signatures=signatures)
