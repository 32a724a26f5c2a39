"""SavedModels that tests serve, and servers of them."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

METHODS = {
    "classify": "tensorflow/serving/classify",
    "regress": "tensorflow/serving/regress",
}


def save_model(directory, factor=1.0):
    """A SavedModel with a signature of each kind; `factor` tells versions apart."""
    import tensorflow as tf
    from tensorflow.core.protobuf import saved_model_pb2

    module = tf.Module()
    module.factor = tf.Variable(float(factor))

    def function(*specs):
        return tf.function(input_signature=[tf.TensorSpec(*spec) for spec in specs])

    @function(([None, 2], tf.float32, "x"))
    def scaled_sum(x):
        tf.debugging.assert_none_equal(x, -1.0, message="minus one is not liked")
        return {"y": tf.reduce_sum(x, axis=1) * module.factor}

    @function(
        ([None], tf.float32, "number"),
        ([None], tf.int64, "count"),
        ([None], tf.string, "word"),
        ([None], tf.bool, "flag"),
    )
    def named(number, count, word, flag):
        return {
            "total": number * tf.cast(count, tf.float32),
            "shout": tf.strings.upper(word),
            "word_bytes": tf.strings.join([word, b"\xff"]),
            "unlike": tf.logical_not(flag),
        }

    @function(([None], tf.string, "examples"))
    def serialized(examples):
        parsed = tf.io.parse_example(examples, {"x": tf.io.FixedLenFeature([2], tf.float32)})
        return {"y": tf.reduce_sum(parsed["x"], axis=1) * module.factor}

    @function(([None], tf.string, "inputs"))
    def classify(inputs):
        parsed = tf.io.parse_example(inputs, {"x": tf.io.FixedLenFeature([2], tf.float32)})
        classes = tf.tile(tf.constant([["low", "high"]]), [tf.shape(inputs)[0], 1])
        return {"classes": classes, "scores": parsed["x"]}

    @function(([None], tf.string, "inputs"))
    def regress(inputs):
        parsed = tf.io.parse_example(inputs, {"x": tf.io.FixedLenFeature([2], tf.float32)})
        return {"outputs": tf.reduce_sum(parsed["x"], axis=1, keepdims=True)}

    @function(([None], tf.float32, "x"))
    def mean(x):
        return {"mean": tf.reduce_mean(x)}

    @function(([None], tf.int64, "turns"))
    def slow(turns):
        def turn(i, total):
            return i + 1, total + tf.reduce_sum(tf.sqrt(tf.ones([2000]) * total))

        _, total = tf.while_loop(
            lambda i, total: i < tf.reduce_max(turns), turn, (tf.constant(0, tf.int64), 1.0)
        )
        return {"total": tf.fill(tf.shape(turns), total)}

    @function(([None], tf.string, "word"))
    def not_utf8(word):
        return {"word": tf.strings.join([word, b"\xff"])}

    signatures = {
        "serving_default": scaled_sum,
        "named": named,
        "serialized": serialized,
        "classify": classify,
        "regress": regress,
        "mean": mean,
        "slow": slow,
        "not_utf8": not_utf8,
    }
    tf.saved_model.save(module, str(directory), signatures=signatures)
    # As Estimators write them; functions of TensorFlow 2 are all for predictions.
    path = Path(directory, "saved_model.pb")
    model = saved_model_pb2.SavedModel.FromString(path.read_bytes())
    for name, method in METHODS.items():
        model.meta_graphs[0].signature_def[name].method_name = method
    path.write_bytes(model.SerializeToString())


def push(model, base, version):
    """Puts a version into a directory as a Pusher does: aside, then renamed."""
    aside = Path(base, f".aside-{version}")
    shutil.copytree(model, aside)
    os.rename(aside, Path(base, str(version)))


class RunningServer:
    """`trainwright serve` as people start it, on a free port; what it says goes to programs, or, if
    not `as_json`, to people, and is kept as `said`."""

    def __init__(self, model, *options, as_json=True):
        command = "from trainwright.cli.main import main; main()"
        options = [*(["--json"] if as_json else []), *options]
        self.process = subprocess.Popen(
            [sys.executable, "-c", command, "serve", str(model), "--port", "0", *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        line = self.process.stdout.readline()
        if not line:
            raise AssertionError(f"the server ended: {self.process.communicate()[1]}")
        if as_json:
            self.started = json.loads(line)
        else:
            self.said = line + self.process.stdout.readline()
            self.started = self._understood(line)
        self.url = self.started["url"]
        self.address = f"http://127.0.0.1:{self.started['port']}"

    def _understood(self, line):
        sentence = r"Serving (\w+) \(version (.*)\) at (http://127\.0\.0\.1:(\d+)/\S+)"
        name, versions, url, port = re.fullmatch(sentence, line.strip()).groups()
        versions = [int(version) for version in versions.split(", ")]
        return {"url": url, "port": int(port), "name": name, "versions": versions}

    def end(self, number=signal.SIGTERM):
        """Returns the exit status and what it wrote to stderr."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        try:
            _, stderr = self.process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        return self.process.returncode, stderr
