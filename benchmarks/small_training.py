"""A module file for the Trainer: a small Keras model on penguins, and how long it took."""

from __future__ import annotations

import json
import os
import time
from typing import Any

import tensorflow as tf

FEATURES = {
    "bill_length_mm": tf.float32,
    "bill_depth_mm": tf.float32,
    "flipper_length_mm": tf.int64,
    "body_mass_g": tf.int64,
}
SPECIES = ("Adelie", "Chinstrap", "Gentoo")


def run_fn(fn_args: Any) -> None:
    began, cpu_before = time.perf_counter(), time.process_time()
    model = _make_model()
    model.fit(_make_dataset(fn_args.train_files), steps_per_epoch=fn_args.train_steps, verbose=0)
    tf.saved_model.save(model, fn_args.serving_model_dir)
    seconds = {
        "run_fn": time.perf_counter() - began,
        "run_fn_cpu": time.process_time() - cpu_before,
    }
    with open(os.path.join(fn_args.model_run_dir, "seconds.json"), "w") as file:
        json.dump(seconds, file)


def _make_model() -> tf.keras.Model:
    layers = [tf.keras.layers.Dense(16, activation="relu"), tf.keras.layers.Dense(len(SPECIES))]
    model = tf.keras.Sequential([tf.keras.Input((len(FEATURES),)), *layers])
    loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile(optimizer="adam", loss=loss)
    return model


def _make_dataset(patterns: list[str]) -> tf.data.Dataset:
    files = [file for pattern in patterns for file in tf.io.gfile.glob(pattern)]
    spec = {name: tf.io.FixedLenFeature([], dtype, 0) for name, dtype in FEATURES.items()}
    spec["species"] = tf.io.FixedLenFeature([], tf.string)

    def parse(batch: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        parsed = tf.io.parse_example(batch, spec)
        columns = [tf.cast(parsed[name], tf.float32) for name in FEATURES]
        label = tf.argmax(parsed["species"][:, None] == tf.constant(SPECIES), axis=1)
        return tf.stack(columns, axis=1), label

    return tf.data.TFRecordDataset(files, "GZIP").repeat().batch(20).map(parse)
