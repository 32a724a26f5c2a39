"""Does what the penguin pipeline does, step by step in one script: what a pipeline is held against.

Usage: bare_penguin.py OUTPUT. It writes examples, trains, saves, evaluates what it saved by slice
and copies the model; it remembers nothing and reuses nothing.
"""

from __future__ import annotations

import csv
import hashlib
import os
import shutil
import sys
import time

import numpy as np
import tensorflow as tf
from google.protobuf import text_format
from tensorflow_metadata.proto.v0 import schema_pb2

REPOSITORY = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PENGUIN = os.path.join(REPOSITORY, "examples", "penguin")
FEATURES = ("bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g")
WHOLE_NUMBERS = ("flipper_length_mm", "body_mass_g", "year")
SPECIES = ("Adelie", "Chinstrap", "Gentoo")
GZIP = "GZIP"


def main(output: str) -> None:
    write_examples(output)
    with open(os.path.join(PENGUIN, "schema", "schema.pbtxt"), encoding="utf-8") as file:
        text_format.Parse(file.read(), schema_pb2.Schema())
    model = train(output)
    save(model, f"{output}/model")
    accuracy = evaluate(f"{output}/model", f"{output}/eval.gz")
    print(accuracy)
    if accuracy["all"] >= 0.6:
        shutil.copytree(f"{output}/model", f"{output}/serving_model/{int(time.time())}")


def write_examples(output: str) -> None:
    with open(os.path.join(PENGUIN, "data", "penguins.csv"), encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    writers = {
        split: tf.io.TFRecordWriter(f"{output}/{split}.gz", GZIP) for split in ("train", "eval")
    }
    for row in rows:
        record = make_example(row)
        bucket = int(hashlib.sha256(record).hexdigest(), 16) % 3
        writers["train" if bucket < 2 else "eval"].write(record)
    for writer in writers.values():
        writer.close()


def make_example(row: dict[str, str]) -> bytes:
    example = tf.train.Example()
    for name, text in row.items():
        feature = example.features.feature[name]
        if not text:
            continue
        if name in WHOLE_NUMBERS:
            feature.int64_list.value.append(int(text))
        elif name in FEATURES:
            feature.float_list.value.append(float(text))
        else:
            feature.bytes_list.value.append(text.encode())
    return example.SerializeToString()


def spec_of(names) -> dict[str, tf.io.FixedLenFeature]:
    return {
        name: tf.io.FixedLenFeature([1], tf.int64 if name in WHOLE_NUMBERS else tf.float32)
        for name in names
    }


def make_dataset(path: str, epochs: int | None) -> tf.data.Dataset:
    spec = {**spec_of(FEATURES), "species": tf.io.FixedLenFeature([1], tf.string)}
    label_of = tf.keras.layers.StringLookup(vocabulary=list(SPECIES), num_oov_indices=0)

    def parse(records):
        parsed = tf.io.parse_example(records, spec)
        return {name: parsed[name] for name in FEATURES}, label_of(parsed["species"])

    dataset = tf.data.TFRecordDataset(path, GZIP)
    if epochs is None:
        dataset = dataset.shuffle(10_000).repeat()
    return dataset.batch(20).map(parse).prefetch(tf.data.AUTOTUNE)


def train(output: str) -> tf.keras.Model:
    dataset = make_dataset(f"{output}/train.gz", epochs=None)
    inputs = {name: tf.keras.Input(shape=(1,), name=name) for name in FEATURES}
    scale = tf.keras.layers.Normalization()
    scale.adapt(
        dataset.take(12).map(
            lambda features, _: tf.concat(
                [tf.cast(features[name], tf.float32) for name in FEATURES], axis=1
            )
        )
    )
    hidden = scale(tf.keras.layers.concatenate([inputs[name] for name in FEATURES]))
    for _ in range(2):
        hidden = tf.keras.layers.Dense(8, activation="relu")(hidden)
    model = tf.keras.Model(inputs, tf.keras.layers.Dense(3)(hidden))
    model.compile(
        optimizer=tf.keras.optimizers.Adam(1e-2),
        loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
    )
    model.fit(
        dataset,
        steps_per_epoch=100,
        validation_data=make_dataset(f"{output}/eval.gz", epochs=1),
        validation_steps=5,
        callbacks=[tf.keras.callbacks.TensorBoard(f"{output}/model_run")],
        verbose=2,
    )
    return model


def save(model: tf.keras.Model, directory: str) -> None:
    @tf.function(input_signature=[tf.TensorSpec([None], tf.string, name="examples")])
    def serve(examples):
        parsed = tf.io.parse_example(examples, spec_of(FEATURES))
        return {"logits": model({name: tf.cast(parsed[name], tf.float32) for name in FEATURES})}

    tf.saved_model.save(model, directory, signatures={"serving_default": serve})


def evaluate(directory: str, path: str) -> dict[str, float]:
    """The accuracy of what was saved, for all penguins and by sex."""
    signature = tf.saved_model.load(directory).signatures["serving_default"]
    spec = {"species": tf.io.FixedLenFeature([], tf.string), "sex": tf.io.VarLenFeature(tf.string)}
    right: dict[str, list[int]] = {"all": []}
    for records in tf.data.TFRecordDataset(path, GZIP).batch(1000):
        told = np.argmax(signature(examples=records)["logits"].numpy(), axis=1)
        parsed = tf.io.parse_example(records, spec)
        sexes = tf.sparse.to_dense(parsed["sex"]).numpy()
        for number, species, sex in zip(told, parsed["species"].numpy(), sexes, strict=True):
            is_right = int(SPECIES[number] == species.decode())
            right["all"].append(is_right)
            for value in sex:
                right.setdefault(value.decode(), []).append(is_right)
    return {name: sum(values) / len(values) for name, values in right.items()}


if __name__ == "__main__":
    main(sys.argv[1])
