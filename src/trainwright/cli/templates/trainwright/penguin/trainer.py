"""A small Keras network that tells the species of a penguin; `run_fn` is called by the Trainer."""

import tensorflow as tf
from google.protobuf import text_format
from tensorflow_metadata.proto.v0 import schema_pb2

from trainwright import TensorFlowDatasetOptions
from trainwright.components import FnArgs

FEATURES = ("bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g")
LABEL = "species"
BATCH_SIZE = 20


def run_fn(fn_args: FnArgs) -> None:
    """Trains, evaluates and saves."""
    tf.keras.utils.set_random_seed(2014)
    with open(fn_args.schema_path) as file:
        schema = text_format.Parse(file.read(), schema_pb2.Schema())
    species = next(domain for domain in schema.string_domain if domain.name == LABEL).value
    number_of = tf.keras.layers.StringLookup(vocabulary=list(species), num_oov_indices=0)
    train = read_examples(fn_args.train_files, fn_args, schema, number_of, epochs=None)
    evaluation = read_examples(fn_args.eval_files, fn_args, schema, number_of, epochs=1)
    model = build_model(len(species), train.take(12).map(lambda features, _: stack(features)))
    model.fit(
        train,
        steps_per_epoch=fn_args.train_steps,
        validation_data=evaluation,
        validation_steps=fn_args.eval_steps,
        callbacks=[tf.keras.callbacks.TensorBoard(fn_args.model_run_dir)],
        verbose=2,
    )
    save(model, number_of, fn_args.serving_model_dir)


def read_examples(files, fn_args: FnArgs, schema, number_of, epochs) -> tf.data.Dataset:
    """Batches of measurements, and the number of each penguin's species."""
    options = TensorFlowDatasetOptions(batch_size=BATCH_SIZE, label_key=LABEL, num_epochs=epochs)
    dataset = fn_args.data_accessor.tf_dataset_factory(files, options, schema)
    return dataset.map(
        lambda features, label: ({name: features[name] for name in FEATURES}, number_of(label))
    )


def stack(features) -> tf.Tensor:
    """The measurements of a batch as one matrix."""
    return tf.concat([tf.cast(features[name], tf.float32) for name in FEATURES], axis=1)


def build_model(num_species: int, measurements: tf.data.Dataset) -> tf.keras.Model:
    """A network that scales measurements as those that it is given here."""
    inputs = {name: tf.keras.Input(shape=(1,), name=name) for name in FEATURES}
    scale = tf.keras.layers.Normalization()
    scale.adapt(measurements)
    hidden = scale(tf.keras.layers.concatenate([inputs[name] for name in FEATURES]))
    for _ in range(2):
        hidden = tf.keras.layers.Dense(8, activation="relu")(hidden)
    model = tf.keras.Model(inputs, tf.keras.layers.Dense(num_species)(hidden))
    model.compile(
        optimizer=tf.keras.optimizers.Adam(1e-2),
        loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
    )
    return model


def save(model, number_of, directory) -> None:
    """Saves with signatures that take serialized tf.Examples, as a server receives them."""
    model.number_of_species = number_of  # saved with the model
    # The columns with whole numbers in them.
    whole = ("flipper_length_mm", "body_mass_g")
    spec = {
        name: tf.io.FixedLenFeature([1], tf.int64 if name in whole else tf.float32)
        for name in FEATURES
    }

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string, name="examples")])
    def serve_examples(examples):
        features = tf.io.parse_example(examples, spec)
        return {"logits": model({name: tf.cast(features[name], tf.float32) for name in FEATURES})}

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string, name="examples")])
    def number_species(examples):
        """The label as the number that the model knows it by, for the Evaluator."""
        label = tf.io.parse_example(examples, {LABEL: tf.io.FixedLenFeature([], tf.string)})[LABEL]
        return {"species_number": model.number_of_species(label)}

    signatures = {"serving_default": serve_examples, "number_species": number_species}
    tf.saved_model.save(model, directory, signatures=signatures)
