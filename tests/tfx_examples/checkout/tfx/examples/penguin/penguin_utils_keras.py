"""The module file of the penguin pipeline, for Transform and Trainer; nothing here tunes."""

import absl
import tensorflow as tf
import tensorflow_transform as tft
from tensorflow import keras

from tfx import v1 as tfx
from tfx.examples.penguin import penguin_utils_base as base

preprocessing_fn = base.preprocessing_fn


def tuner_fn(fn_args: tfx.components.FnArgs) -> tfx.components.TunerFnResult:
    raise AssertionError("nobody asked for tuning")


def _make_keras_model() -> tf.keras.Model:
    inputs = [
        keras.layers.Input(shape=(1,), name=base.transformed_name(key)) for key in base.FEATURE_KEYS
    ]
    hidden = keras.layers.Dense(8, activation="relu")(keras.layers.concatenate(inputs))
    model = keras.Model(inputs=inputs, outputs=keras.layers.Dense(3)(hidden))
    model.compile(
        optimizer=keras.optimizers.Adam(5e-2),
        loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=[keras.metrics.SparseCategoricalAccuracy()],
    )
    model.summary(print_fn=absl.logging.info)
    return model


def run_fn(fn_args: tfx.components.FnArgs):
    tf_transform_output = tft.TFTransformOutput(fn_args.transform_output)
    train_dataset = base.input_fn(
        fn_args.train_files, fn_args.data_accessor, tf_transform_output, 20
    )
    eval_dataset = base.input_fn(fn_args.eval_files, fn_args.data_accessor, tf_transform_output, 10)
    assert not fn_args.hyperparameters
    model = _make_keras_model()
    model.fit(
        train_dataset,
        steps_per_epoch=fn_args.train_steps,
        validation_data=eval_dataset,
        validation_steps=fn_args.eval_steps,
        callbacks=[keras.callbacks.TensorBoard(log_dir=fn_args.model_run_dir, update_freq="epoch")],
    )
    signatures = base.make_serving_signatures(model, tf_transform_output)
    tf.saved_model.save(model, fn_args.serving_model_dir, signatures=signatures)
