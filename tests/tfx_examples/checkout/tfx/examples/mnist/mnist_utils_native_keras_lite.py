"""The module file of the digits pipeline for a model that leaves for phones."""

import os

import tensorflow as tf
import tensorflow_transform as tft

from tfx.components.trainer.fn_args_utils import FnArgs
from tfx.components.trainer.rewriting import converters, rewriter, rewriter_factory
from tfx.dsl.io import fileio
from tfx.examples.mnist import mnist_utils_native_keras_base as base


def _get_serve_floats_fn(model, tf_transform_output):
    model.tft_layer = tf_transform_output.transform_features_layer()

    @tf.function
    def serve_floats_fn(image):
        return model(model.tft_layer({base.IMAGE_KEY: image}))

    return serve_floats_fn


def preprocessing_fn(inputs):
    return base.preprocessing_fn(inputs)


def run_fn(fn_args: FnArgs):
    tf_transform_output = tft.TFTransformOutput(fn_args.transform_output)
    train_dataset = base.input_fn(fn_args.train_files, fn_args.data_accessor, tf_transform_output)
    with tf.distribute.MirroredStrategy().scope():
        model = base.build_keras_model()
    model.fit(train_dataset, steps_per_epoch=fn_args.train_steps)
    serving = _get_serve_floats_fn(model, tf_transform_output).get_concrete_function(
        tf.TensorSpec(shape=[None, 16], dtype=tf.float32, name=base.IMAGE_KEY)
    )
    temporary_dir = os.path.join(fn_args.serving_model_dir, "temp")
    model.save(temporary_dir, save_format="tf", signatures={"serving_default": serving})
    tfrw = rewriter_factory.create_rewriter(rewriter_factory.TFLITE_REWRITER, name="tflite")
    converters.rewrite_saved_model(
        temporary_dir, fn_args.serving_model_dir, tfrw, rewriter.ModelType.TFLITE_MODEL
    )
    fileio.rmtree(temporary_dir)
