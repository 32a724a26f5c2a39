"""The module file of the full penguin pipeline: features by tf.Transform, and a small network."""

import tensorflow as tf
import tensorflow_transform as tft

from trainwright import training
from trainwright.components import TunerFnResult

MEASUREMENTS = ("bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g")
LABEL = "species"


def transformed_name(name: str) -> str:
    return f"{name}_xf"


def preprocessing_fn(inputs):
    """Scales the measurements and numbers the species."""
    outputs = {transformed_name(name): tft.scale_to_z_score(inputs[name]) for name in MEASUREMENTS}
    outputs[transformed_name(LABEL)] = tft.compute_and_apply_vocabulary(inputs[LABEL])
    return outputs


def run_fn(fn_args) -> None:
    """Trains, evaluates and saves; called by the Trainer."""
    tf.keras.utils.set_random_seed(2014)
    data = training.TrainingData(fn_args, label=transformed_name(LABEL), batch_size=20)
    model = make_model(**(fn_args.hyperparameters or {}).get("values", {}))
    data.fit(model)
    data.save(model, output="logits")


def tuner_fn(fn_args):
    """Looks for the size of the layers and the learning rate; called by a Tuner."""
    import keras_tuner

    data = training.TrainingData(fn_args, label=transformed_name(LABEL), batch_size=20)
    tuner = keras_tuner.RandomSearch(
        lambda hp: make_model(hp.Choice("units", [4, 8, 16]), hp.Choice("rate", [1e-3, 1e-2])),
        objective="val_accuracy",
        max_trials=4,
        seed=2014,
        directory=fn_args.working_dir,
    )
    steps = {"steps_per_epoch": fn_args.train_steps, "validation_steps": fn_args.eval_steps}
    fit_kwargs = {"x": data.train, "validation_data": data.evaluation, "verbose": 0, **steps}
    return TunerFnResult(tuner=tuner, fit_kwargs=fit_kwargs)


def make_model(units: int = 8, rate: float = 1e-2) -> tf.keras.Model:
    inputs = {
        transformed_name(name): tf.keras.Input((1,), name=transformed_name(name))
        for name in MEASUREMENTS
    }
    hidden = tf.keras.layers.concatenate(list(inputs.values()))
    for _ in range(2):
        hidden = tf.keras.layers.Dense(units, activation="relu")(hidden)
    model = tf.keras.Model(inputs, tf.keras.layers.Dense(3)(hidden))
    model.compile(
        optimizer=tf.keras.optimizers.Adam(rate),
        loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
    )
    return model
