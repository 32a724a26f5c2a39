"""One small model as a SavedModel, and what LiteRT's and ONNX's converters make of it."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from trainwright.evaluation.batches.features import FeatureColumn

WEIGHTS = [[0.5, -1.0, 0.25], [1.0, 0.5, -0.75]]


def column(*rows):
    """A feature with a list of values for each example."""
    values = [value for row in rows for value in row]
    dtype = object if values and isinstance(values[0], bytes) else None
    return FeatureColumn(np.array(values, dtype), np.cumsum([0, *map(len, rows)]))


# Five examples: no multiple of a fixed batch of two.
COLUMNS = {
    "p": column([0.1, 0.9], [0.4, 0.2], [0.8, 0.8], [0.0, 1.0], [1.0, 0.0]),
    "year": column([2], [0], [1], [3], [1]),
    "town": column([b"Ulm"], [b"Bonn"], [b"Ulm"], [b"K\xc3\xb6ln"], [b"Ulm"]),
}


def make_module(batch=None):
    """A model with two inputs and two outputs, and one for each of its other signatures."""
    import tensorflow as tf

    class Classifier(tf.Module):
        def __init__(self):
            self.weights = tf.Variable(WEIGHTS)

        @tf.function(
            input_signature=[
                tf.TensorSpec([batch, 2], tf.float32, name="p"),
                tf.TensorSpec([batch, 1], tf.float32, name="year"),
            ]
        )
        def classify(self, p, year):
            logits = p @ self.weights + year
            return {"logits": logits, "probabilities": tf.nn.softmax(p @ self.weights)}

        @tf.function(input_signature=[tf.TensorSpec([batch, 2], tf.float32, name="p")])
        def add_up(self, p):
            return {"total": tf.reduce_sum(p, axis=1)}

        @tf.function(input_signature=[tf.TensorSpec([batch], tf.string, name="town")])
        def name_town(self, town):
            return {"towns": tf.identity(town)}

        @tf.function(input_signature=[tf.TensorSpec([batch], tf.string, name="examples")])
        def parse(self, examples):
            spec = {"p": tf.io.FixedLenFeature([2], tf.float32)}
            return {"total": tf.reduce_sum(tf.io.parse_example(examples, spec)["p"], axis=1)}

        @tf.function(
            input_signature=[
                tf.TensorSpec([batch, 1], tf.float32, name="x"),
                tf.TensorSpec([batch, 1], tf.float32, name="year"),
            ]
        )
        def score(self, x, year):
            return {"scores": x[:, 0] + 0.0 * year[:, 0]}

    return Classifier()


def save(module, directory, **signatures):
    """Saves some of its functions under the names of signatures."""
    import tensorflow as tf

    functions = {name: getattr(module, function) for name, function in signatures.items()}
    tf.saved_model.save(module, str(directory), signatures=functions)
    return str(directory)


def write(directory, name, content):
    """Writes a model's file into its directory."""
    Path(directory).mkdir(parents=True, exist_ok=True)
    (Path(directory) / name).write_bytes(content)
    return str(directory)
