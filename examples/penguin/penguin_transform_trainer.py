"""The module file of the full penguin pipeline: features by tf.Transform, and a small network."""

import tensorflow as tf
import tensorflow_transform as tft

from trainwright import TensorFlowDatasetOptions
from trainwright.components import FnArgs

MEASUREMENTS = ("bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g")
LABEL = "species"
BATCH_SIZE = 20


def transformed_name(name: str) -> str:
    return f"{name}_xf"


def preprocessing_fn(inputs):
    """Scales the measurements and numbers the species."""
    outputs = {transformed_name(name): tft.scale_to_z_score(inputs[name]) for name in MEASUREMENTS}
    outputs[transformed_name(LABEL)] = tft.compute_and_apply_vocabulary(inputs[LABEL])
    return outputs


def run_fn(fn_args: FnArgs) -> None:
    """Trains, evaluates and saves; called by the Trainer."""
    tf.keras.utils.set_random_seed(2014)
    transform = tft.TFTransformOutput(fn_args.transform_graph_path)
    model = make_model()
    model.fit(
        make_dataset(fn_args.train_files, fn_args, transform, epochs=None),
        steps_per_epoch=fn_args.train_steps,
        validation_data=make_dataset(fn_args.eval_files, fn_args, transform, epochs=1),
        validation_steps=fn_args.eval_steps,
        callbacks=[tf.keras.callbacks.TensorBoard(fn_args.model_run_dir)],
        verbose=2,
    )
    save(model, transform, fn_args.serving_model_dir)


def make_dataset(files, fn_args: FnArgs, transform, epochs) -> tf.data.Dataset:
    return fn_args.data_accessor.tf_dataset_factory(
        files,
        TensorFlowDatasetOptions(
            batch_size=BATCH_SIZE, label_key=transformed_name(LABEL), num_epochs=epochs
        ),
        transform.transformed_metadata.schema,
    )


def make_model() -> tf.keras.Model:
    inputs = {
        transformed_name(name): tf.keras.Input((1,), name=transformed_name(name))
        for name in MEASUREMENTS
    }
    hidden = tf.keras.layers.concatenate(list(inputs.values()))
    for _ in range(2):
        hidden = tf.keras.layers.Dense(8, activation="relu")(hidden)
    model = tf.keras.Model(inputs, tf.keras.layers.Dense(3)(hidden))
    model.compile(
        optimizer=tf.keras.optimizers.Adam(1e-2),
        loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
    )
    return model


def save(model, transform, directory) -> None:
    """Saves with signatures that take raw penguins: to serve, and to number labels."""
    model.transform_layer = transform.transform_features_layer()
    raw_spec = transform.raw_feature_spec()
    unlabelled = {name: feature for name, feature in raw_spec.items() if name != LABEL}

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string, name="examples")])
    def serve_examples(examples):
        transformed = model.transform_layer(tf.io.parse_example(examples, unlabelled))
        return {"logits": model(transformed)}

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string, name="examples")])
    def transform_features(examples):
        return model.transform_layer(tf.io.parse_example(examples, raw_spec))

    tf.saved_model.save(
        model,
        directory,
        signatures={"serving_default": serve_examples, "transform_features": transform_features},
    )
