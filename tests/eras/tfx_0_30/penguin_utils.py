"""The module file of the penguins: Transform and Trainer share it."""

from typing import List, Text

import absl
import tensorflow as tf
import tensorflow_transform as tft
from tensorflow import keras
from tensorflow_transform.tf_metadata import schema_utils
from tfx.components.trainer.executor import TrainerFnArgs
from tfx.components.trainer.fn_args_utils import DataAccessor
from tfx.utils import io_utils
from tfx_bsl.tfxio import dataset_options
from tensorflow_metadata.proto.v0 import schema_pb2

_FEATURE_KEYS = ["culmen_length_mm", "culmen_depth_mm", "flipper_length_mm", "body_mass_g"]
_LABEL_KEY = "species"

_TRAIN_BATCH_SIZE = 20
_EVAL_BATCH_SIZE = 10


def _transformed_name(key):
    return key + "_xf"


def preprocessing_fn(inputs):
    outputs = {_transformed_name(key): tft.scale_to_z_score(inputs[key]) for key in _FEATURE_KEYS}
    # The label is not transformed, so that the Evaluator finds it in the raw examples.
    outputs[_LABEL_KEY] = inputs[_LABEL_KEY]
    return outputs


def _get_serve_tf_examples_fn(model, schema, tf_transform_output):
    model.tft_layer = tf_transform_output.transform_features_layer()

    @tf.function
    def serve_tf_examples_fn(serialized_tf_examples):
        feature_spec = schema_utils.schema_as_feature_spec(schema).feature_spec
        feature_spec.pop(_LABEL_KEY)
        parsed_features = tf.io.parse_example(serialized_tf_examples, feature_spec)
        return model(model.tft_layer(parsed_features))

    return serve_tf_examples_fn


def _input_fn(
    file_pattern: List[Text],
    data_accessor: DataAccessor,
    tf_transform_output: tft.TFTransformOutput,
    batch_size: int = 200,
) -> tf.data.Dataset:
    return data_accessor.tf_dataset_factory(
        file_pattern,
        dataset_options.TensorFlowDatasetOptions(batch_size=batch_size, label_key=_LABEL_KEY),
        tf_transform_output.transformed_metadata.schema,
    )


def _build_keras_model() -> tf.keras.Model:
    inputs = [keras.layers.Input(shape=(1,), name=_transformed_name(f)) for f in _FEATURE_KEYS]
    d = keras.layers.concatenate(inputs)
    for _ in range(2):
        d = keras.layers.Dense(8, activation="relu")(d)
    outputs = keras.layers.Dense(3, activation="softmax")(d)
    model = keras.Model(inputs=inputs, outputs=outputs)
    model.compile(
        optimizer=keras.optimizers.Adam(2e-2),
        loss="sparse_categorical_crossentropy",
        metrics=[keras.metrics.SparseCategoricalAccuracy()],
    )
    model.summary(print_fn=absl.logging.info)
    return model


def run_fn(fn_args: TrainerFnArgs):
    schema = io_utils.parse_pbtxt_file(fn_args.schema_file, schema_pb2.Schema())
    tf_transform_output = tft.TFTransformOutput(fn_args.transform_output)
    train_dataset = _input_fn(
        fn_args.train_files, fn_args.data_accessor, tf_transform_output, _TRAIN_BATCH_SIZE
    )
    eval_dataset = _input_fn(
        fn_args.eval_files, fn_args.data_accessor, tf_transform_output, _EVAL_BATCH_SIZE
    )
    mirrored_strategy = tf.distribute.MirroredStrategy()
    with mirrored_strategy.scope():
        model = _build_keras_model()
    tensorboard_callback = tf.keras.callbacks.TensorBoard(
        log_dir=fn_args.model_run_dir, update_freq="batch"
    )
    model.fit(
        train_dataset,
        steps_per_epoch=fn_args.train_steps,
        validation_data=eval_dataset,
        validation_steps=fn_args.eval_steps,
        callbacks=[tensorboard_callback],
    )
    signatures = {
        "serving_default": _get_serve_tf_examples_fn(
            model, schema, tf_transform_output
        ).get_concrete_function(tf.TensorSpec(shape=[None], dtype=tf.string, name="examples")),
    }
    model.save(fn_args.serving_model_dir, save_format="tf", signatures=signatures)
