"""What the module files of the penguin pipelines share."""

import tensorflow as tf
import tensorflow_transform as tft
from tfx_bsl.public import tfxio

from tfx import v1 as tfx

FEATURE_KEYS = ["culmen_length_mm", "culmen_depth_mm", "flipper_length_mm", "body_mass_g"]
LABEL_KEY = "species"


def transformed_name(key):
    return key + "_xf"


def preprocessing_fn(inputs):
    outputs = {transformed_name(key): tft.scale_to_z_score(inputs[key]) for key in FEATURE_KEYS}
    outputs[transformed_name(LABEL_KEY)] = inputs[LABEL_KEY]
    return outputs


def input_fn(
    file_pattern: list[str],
    data_accessor: tfx.components.DataAccessor,
    tf_transform_output: tft.TFTransformOutput,
    batch_size: int,
) -> tf.data.Dataset:
    return data_accessor.tf_dataset_factory(
        file_pattern,
        tfxio.TensorFlowDatasetOptions(
            batch_size=batch_size, label_key=transformed_name(LABEL_KEY)
        ),
        tf_transform_output.transformed_metadata.schema,
    ).repeat()


def make_serving_signatures(model, tf_transform_output: tft.TFTransformOutput):
    model.tft_layer = tf_transform_output.transform_features_layer()
    examples = tf.TensorSpec(shape=[None], dtype=tf.string, name="examples")

    @tf.function(input_signature=[examples])
    def serve_tf_examples_fn(serialized_tf_example):
        spec = tf_transform_output.raw_feature_spec()
        spec.pop(LABEL_KEY)
        features = tf.io.parse_example(serialized_tf_example, spec)
        return {"outputs": model(model.tft_layer(features))}

    @tf.function(input_signature=[examples])
    def transform_features_fn(serialized_tf_example):
        spec = tf_transform_output.raw_feature_spec()
        return model.tft_layer(tf.io.parse_example(serialized_tf_example, spec))

    return {"serving_default": serve_tf_examples_fn, "transform_features": transform_features_fn}
