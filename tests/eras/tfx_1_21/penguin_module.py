"""The module file of the penguins: features by tf.Transform, a model by Keras 3."""

import keras
import tensorflow as tf
import tensorflow_transform as tft
from tfx import v1 as tfx
from tfx_bsl.public import tfxio

FEATURE_KEYS = ["bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g"]
LABEL_KEY = "species"
BATCH_SIZE = 20


def transformed_name(key: str) -> str:
    return f"{key}_xf"


def preprocessing_fn(inputs):
    outputs = {
        transformed_name(key): tft.scale_to_z_score(tf.cast(inputs[key], tf.float32))
        for key in FEATURE_KEYS
    }
    outputs[transformed_name(LABEL_KEY)] = tft.compute_and_apply_vocabulary(inputs[LABEL_KEY])
    return outputs


def _input_fn(file_pattern: list[str], data_accessor: tfx.components.DataAccessor, schema):
    options = tfxio.TensorFlowDatasetOptions(
        batch_size=BATCH_SIZE, label_key=transformed_name(LABEL_KEY)
    )
    return data_accessor.tf_dataset_factory(file_pattern, options, schema).repeat()


def _build_keras_model() -> keras.Model:
    inputs = {
        transformed_name(key): keras.Input((1,), name=transformed_name(key)) for key in FEATURE_KEYS
    }
    hidden = keras.layers.Concatenate()(list(inputs.values()))
    hidden = keras.layers.Dense(8, activation="relu")(hidden)
    model = keras.Model(inputs, keras.layers.Dense(3)(hidden))
    model.compile(
        optimizer=keras.optimizers.Adam(0.02),
        loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=[keras.metrics.SparseCategoricalAccuracy()],
    )
    return model


def _signatures(model: keras.Model, tf_transform_output: tft.TFTransformOutput):
    model.tft_layer = tf_transform_output.transform_features_layer()
    spec = tf_transform_output.raw_feature_spec()
    features_alone = {key: feature for key, feature in spec.items() if key != LABEL_KEY}
    examples = tf.TensorSpec([None], tf.string, name="examples")

    @tf.function(input_signature=[examples])
    def serve_tf_examples_fn(serialized_tf_examples):
        parsed_features = tf.io.parse_example(serialized_tf_examples, features_alone)
        return {"outputs": model(model.tft_layer(parsed_features))}

    @tf.function(input_signature=[examples])
    def transform_features_fn(serialized_tf_examples):
        return model.tft_layer(tf.io.parse_example(serialized_tf_examples, spec))

    return {"serving_default": serve_tf_examples_fn, "transform_features": transform_features_fn}


def run_fn(fn_args: tfx.components.FnArgs):
    assert tf.keras.version().startswith("3."), tf.keras.version()
    keras.utils.set_random_seed(7)
    tf_transform_output = tft.TFTransformOutput(fn_args.transform_graph_path)
    schema = tf_transform_output.transformed_metadata.schema
    model = _build_keras_model()
    model.fit(
        _input_fn(fn_args.train_files, fn_args.data_accessor, schema),
        steps_per_epoch=fn_args.train_steps,
        validation_data=_input_fn(fn_args.eval_files, fn_args.data_accessor, schema),
        validation_steps=fn_args.eval_steps,
        callbacks=[keras.callbacks.TensorBoard(fn_args.model_run_dir)],
        verbose=2,
    )
    model.export(fn_args.model_run_dir + "/without_transform", verbose=False)
    signatures = _signatures(model, tf_transform_output)
    tf.saved_model.save(model, fn_args.serving_model_dir, signatures=signatures)
