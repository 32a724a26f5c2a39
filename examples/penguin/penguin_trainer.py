"""The module file of the penguin pipeline: tells the species of a penguin from its measurements."""

import tensorflow as tf

from trainwright import training

FEATURES = ("bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g")


def run_fn(fn_args) -> None:
    """Trains, evaluates and saves; called by the Trainer."""
    tf.keras.utils.set_random_seed(2014)
    data = training.TrainingData(fn_args, label="species", features=FEATURES, batch_size=20)
    model = make_model(len(data.classes), data.train.take(12))
    data.fit(model)
    data.save(model, output="logits")


def stack(features, label=None):
    return tf.concat([features[name] for name in FEATURES], axis=1)


def make_model(num_species: int, examples: tf.data.Dataset) -> tf.keras.Model:
    """A network that scales measurements as those of some examples."""
    inputs = {name: tf.keras.Input(shape=(1,), name=name) for name in FEATURES}
    scale = tf.keras.layers.Normalization()
    scale.adapt(examples.map(stack))
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
