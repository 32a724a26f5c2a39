"""Keras with Transform, whose graph is saved with the model, so that it serves raw examples."""

import tensorflow as tf
import tensorflow_transform as tft
from tfx_bsl.tfxio import dataset_options

from tfx.components.trainer.executor import TrainerFnArgs

_FEATURE_KEYS = ["trip_miles", "fare"]
_LABEL_KEY = "big_tipper"


def _transformed_name(key):
    return key + "_xf"


def preprocessing_fn(inputs):
    outputs = {_transformed_name(key): tft.scale_to_z_score(inputs[key]) for key in _FEATURE_KEYS}
    outputs[_LABEL_KEY] = inputs[_LABEL_KEY]
    return outputs


def _input_fn(file_pattern, data_accessor, schema, batch_size=20):
    return data_accessor.tf_dataset_factory(
        file_pattern,
        dataset_options.TensorFlowDatasetOptions(batch_size=batch_size, label_key=_LABEL_KEY),
        schema,
    )


def _build_keras_model():
    inputs = [
        tf.keras.layers.Input(shape=(1,), name=_transformed_name(key)) for key in _FEATURE_KEYS
    ]
    output = tf.keras.layers.Dense(1, activation="sigmoid")(tf.keras.layers.concatenate(inputs))
    model = tf.keras.Model(inputs=inputs, outputs=output)
    model.compile(
        loss="binary_crossentropy",
        optimizer=tf.keras.optimizers.Adam(0.2),
        metrics=[tf.keras.metrics.BinaryAccuracy()],
    )
    return model


def _get_serve_tf_examples_fn(model, tf_transform_output):
    # An attribute of the model, so that the assets of the transform graph are saved with it.
    model.tft_layer = tf_transform_output.transform_features_layer()

    @tf.function
    def serve_tf_examples_fn(serialized_tf_examples):
        feature_spec = tf_transform_output.raw_feature_spec()
        feature_spec.pop(_LABEL_KEY)
        parsed_features = tf.io.parse_example(serialized_tf_examples, feature_spec)
        transformed_features = model.tft_layer(parsed_features)
        return model(transformed_features)

    return serve_tf_examples_fn


def run_fn(fn_args: TrainerFnArgs):
    tf_transform_output = tft.TFTransformOutput(fn_args.transform_output)
    schema = tf_transform_output.transformed_metadata.schema
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
        "serving_default": _get_serve_tf_examples_fn(
            model, tf_transform_output
        ).get_concrete_function(tf.TensorSpec(shape=[None], dtype=tf.string, name="examples")),
    }
    model.save(fn_args.serving_model_dir, save_format="tf", signatures=signatures)
