"""The module file of the digits pipeline."""

import tensorflow as tf
import tensorflow_transform as tft

from tfx.components.trainer.fn_args_utils import FnArgs
from tfx.examples.mnist import mnist_utils_native_keras_base as base


def _get_serve_tf_examples_fn(model, tf_transform_output):
    model.tft_layer = tf_transform_output.transform_features_layer()

    @tf.function
    def serve_tf_examples_fn(serialized_tf_examples):
        feature_spec = tf_transform_output.raw_feature_spec()
        feature_spec.pop(base.LABEL_KEY)
        parsed_features = tf.io.parse_example(serialized_tf_examples, feature_spec)
        return model(model.tft_layer(parsed_features))

    return serve_tf_examples_fn


def preprocessing_fn(inputs):
    return base.preprocessing_fn(inputs)


def run_fn(fn_args: FnArgs):
    tf_transform_output = tft.TFTransformOutput(fn_args.transform_output)
    train_dataset = base.input_fn(fn_args.train_files, fn_args.data_accessor, tf_transform_output)
    eval_dataset = base.input_fn(fn_args.eval_files, fn_args.data_accessor, tf_transform_output)
    model = base.build_keras_model()
    model.fit(
        train_dataset,
        steps_per_epoch=fn_args.train_steps,
        validation_data=eval_dataset,
        validation_steps=fn_args.eval_steps,
    )
    serving = _get_serve_tf_examples_fn(model, tf_transform_output).get_concrete_function(
        tf.TensorSpec(shape=[None], dtype=tf.string, name="examples")
    )
    tf.saved_model.save(model, fn_args.serving_model_dir, signatures={"serving_default": serving})
