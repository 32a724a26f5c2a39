"""The module file of the penguin pipeline: tells the species of a penguin from its measurements."""

import tensorflow as tf
from google.protobuf import text_format
from tensorflow_metadata.proto.v0 import schema_pb2

from trainwright import TensorFlowDatasetOptions
from trainwright.components import FnArgs
from trainwright.data.feature_spec import schema_to_feature_spec

FEATURES = ("bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g")
LABEL = "species"
BATCH_SIZE = 20


def read_schema(path: str) -> schema_pb2.Schema:
    with open(path) as file:
        return text_format.Parse(file.read(), schema_pb2.Schema())


def make_dataset(files, fn_args: FnArgs, schema, *, training: bool) -> tf.data.Dataset:
    """Batches of (measurements, number of the species)."""
    species = next(domain for domain in schema.string_domain if domain.name == "species").value
    label_of = tf.keras.layers.StringLookup(vocabulary=list(species), num_oov_indices=0)
    dataset = fn_args.data_accessor.tf_dataset_factory(
        files,
        TensorFlowDatasetOptions(
            batch_size=BATCH_SIZE, label_key=LABEL, num_epochs=None if training else 1
        ),
        schema,
    )
    return dataset.map(
        lambda features, label: ({name: features[name] for name in FEATURES}, label_of(label))
    )


def make_model(training_features: tf.data.Dataset) -> tf.keras.Model:
    inputs = {name: tf.keras.Input(shape=(1,), name=name) for name in FEATURES}
    scale = tf.keras.layers.Normalization()
    scale.adapt(training_features.map(stack))
    hidden = scale(tf.keras.layers.concatenate([inputs[name] for name in FEATURES]))
    for _ in range(2):
        hidden = tf.keras.layers.Dense(8, activation="relu")(hidden)
    model = tf.keras.Model(inputs, tf.keras.layers.Dense(3)(hidden))
    model.compile(
        optimizer=tf.keras.optimizers.Adam(1e-2),
        loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
    )
    return model


def stack(features, label=None):
    return tf.concat([tf.cast(features[name], tf.float32) for name in FEATURES], axis=1)


def run_fn(fn_args: FnArgs) -> None:
    """Trains, evaluates and saves; called by the Trainer."""
    tf.keras.utils.set_random_seed(2014)
    schema = read_schema(fn_args.schema_path)
    train = make_dataset(fn_args.train_files, fn_args, schema, training=True)
    evaluation = make_dataset(fn_args.eval_files, fn_args, schema, training=False)
    model = make_model(train.take(12))
    model.fit(
        train,
        steps_per_epoch=fn_args.train_steps,
        validation_data=evaluation,
        validation_steps=fn_args.eval_steps,
        callbacks=[tf.keras.callbacks.TensorBoard(fn_args.model_run_dir)],
        verbose=2,
    )
    save(model, schema, fn_args.serving_model_dir)


def save(model, schema, directory) -> None:
    """Saves with a signature that takes serialized tf.Examples, as a server receives them."""
    spec = {
        name: feature
        for name, feature in schema_to_feature_spec(schema).items()
        if name in FEATURES
    }

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string, name="examples")])
    def serve_examples(examples):
        features = tf.io.parse_example(examples, spec)
        return {"logits": model({name: tf.cast(features[name], tf.float32) for name in FEATURES})}

    species = next(domain for domain in schema.string_domain if domain.name == LABEL).value
    model.number_of_species = tf.keras.layers.StringLookup(
        vocabulary=list(species), num_oov_indices=0
    )

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string, name="examples")])
    def number_species(examples):
        """The label as the number that the model knows it by, for the Evaluator."""
        label = tf.io.parse_example(examples, {LABEL: tf.io.FixedLenFeature([], tf.string)})[LABEL]
        return {"species_number": model.number_of_species(label)}

    tf.saved_model.save(
        model,
        directory,
        signatures={"serving_default": serve_examples, "number_species": number_species},
    )
