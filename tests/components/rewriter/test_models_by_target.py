"""Models of each library against each target: one converts and passes the gate, or is refused.

docs/rewriting.md has the same table.
"""

from __future__ import annotations

import os

import numpy as np
import pytest
from google.protobuf import text_format
from tensorflow_metadata.proto.v0 import schema_pb2

from trainwright._estimator_repairs import offer_estimators
from trainwright.components.rewriter.rewriting import compare_with_source, rewrite
from trainwright.components.rewriter.targets import RewriteTarget
from trainwright.engine.local_engine import LocalEngine
from trainwright.proto import example_gen_pb2
from trainwright.transform.analysis import analyze
from trainwright.transform.analyzer_cache import Dataset
from trainwright.transform.raw_examples import RawExamples

tf = pytest.importorskip("tensorflow")
for package in ("ai_edge_litert", "tf2onnx", "tf_keras", "tensorflow_estimator"):
    pytest.importorskip(package)

TOWNS = [b"Ulm", b"Bonn", b"K\xc3\xb6ln"]
SCHEMA = """
feature { name: "amount" type: FLOAT presence { min_fraction: 1 } shape { dim { size: 1 } } }
feature { name: "town" type: BYTES presence { min_fraction: 1 } shape { dim { size: 1 } } }
"""


def make_records():
    """Examples that have the inputs of all models."""
    numbers = np.random.RandomState(3)
    for row in range(24):
        example = tf.train.Example()
        feature = example.features.feature
        feature["x"].float_list.value.extend(numbers.randn(2))
        feature["amount"].float_list.value.append(row)
        feature["town"].bytes_list.value.append(TOWNS[row % 3])
        feature["amount_xf"].float_list.value.append(row / 23)
        feature["town_xf"].int64_list.value.append(row % 3)
        yield example.SerializeToString()


def save_keras_3(path, _):
    import keras

    inputs = keras.Input((2,), name="x")
    hidden = keras.layers.BatchNormalization()(keras.layers.Dense(8, "relu")(inputs))
    keras.Model(inputs, keras.layers.Dense(3, "softmax")(hidden)).export(path, verbose=False)


def save_tf_keras(path, _):
    import tf_keras

    inputs = tf_keras.Input((2,), name="x")
    hidden = tf_keras.layers.Dense(8, "relu")(inputs)
    model = tf_keras.Model(inputs, tf_keras.layers.Dense(3, "softmax")(hidden))
    model.save(path, save_format="tf")


def save_estimator(path, _):
    offer_estimators()
    estimator = tf.estimator.LinearRegressor([tf.feature_column.numeric_column("x", shape=(2,))])
    estimator.train(lambda: ({"x": tf.constant([[1.0, 2.0]])}, tf.constant([[3.0]])), steps=2)

    def receive():
        x = tf.compat.v1.placeholder(tf.float32, [None, 2], name="x")
        return tf.estimator.export.ServingInputReceiver({"x": x}, {"x": x})

    exported = estimator.export_saved_model(f"{path}-exported", receive)
    os.rename(os.fsdecode(exported), path)


def save_transformed(path, records_file):
    """Three signatures, as a TFX module file may have them: examples, raw and transformed ones."""
    import tensorflow_transform as tft

    def preprocess(inputs):
        return {
            "amount_xf": tft.scale_to_0_1(inputs["amount"]),
            "town_xf": tft.compute_and_apply_vocabulary(inputs["town"]),
        }

    schema = text_format.Parse(SCHEMA, schema_pb2.Schema())
    examples = RawExamples(schema, example_gen_pb2.FORMAT_TF_EXAMPLE)
    analyze(
        preprocess,
        examples,
        [Dataset("train", [records_file])],
        f"{path}-transform",
        engine=LocalEngine(1),
        temporary_directory=f"{path}-temporary",
    )
    transformed = tft.TFTransformOutput(f"{path}-transform")
    model = tf.Module()
    model.layer = transformed.transform_features_layer()
    model.kernel = tf.Variable(np.random.RandomState(5).randn(4, 3).astype(np.float32))

    def compute(features):
        town = tf.one_hot(tf.squeeze(features["town_xf"], 1), 3)
        return {"scores": tf.concat([features["amount_xf"], town], 1) @ model.kernel}

    def from_raw(features):
        return compute(model.layer(features))

    amount = tf.TensorSpec([None, 1], tf.float32)
    raw = {"amount": amount, "town": tf.TensorSpec([None, 1], tf.string)}
    spec = transformed.raw_feature_spec()
    signatures = {
        "serving_default": tf.function(
            lambda examples: from_raw(tf.io.parse_example(examples, spec))
        ).get_concrete_function(tf.TensorSpec([None], tf.string, name="examples")),
        "raw": tf.function(
            lambda amount, town: from_raw({"amount": amount, "town": town})
        ).get_concrete_function(**raw),
        "transformed": tf.function(
            lambda amount_xf, town_xf: compute({"amount_xf": amount_xf, "town_xf": town_xf})
        ).get_concrete_function(amount_xf=amount, town_xf=tf.TensorSpec([None, 1], tf.int64)),
    }
    tf.saved_model.save(model, path, signatures)


@pytest.fixture(scope="module")
def records():
    return list(make_records())


@pytest.fixture(scope="module")
def models(tmp_path_factory, records):
    """All four, made in this process."""
    place = tmp_path_factory.mktemp("models")
    os.mkdir(place / "tft layer-temporary")
    records_file = str(place / "records.gz")
    with tf.io.TFRecordWriter(records_file, "GZIP") as writer:
        for record in records:
            writer.write(record)
    makers = {
        "Keras 3": save_keras_3,
        "tf_keras": save_tf_keras,
        "Estimator": save_estimator,
        "tft layer": save_transformed,
    }
    for name, save in makers.items():
        save(str(place / name), records_file)
    return place


CONVERTED = None
PARSING = r"does not have ParseExampleV2 \(parses serialized tf.Examples\).*'transformed' \("
VOCABULARY = (
    r"does not have InitializeTableFromTextFileV2 \(.*filled from a vocabulary file\).*"
    r"signature_key='transformed'"
)
# Model and signature, and what LiteRT, ONNX and TF.js make of it.
TABLE = [
    ("Keras 3", "", CONVERTED, CONVERTED, CONVERTED),
    ("tf_keras", "", CONVERTED, CONVERTED, CONVERTED),
    ("Estimator", "predict", CONVERTED, CONVERTED, CONVERTED),
    ("tft layer", "serving_default", PARSING, PARSING, PARSING),
    ("tft layer", "raw", VOCABULARY, CONVERTED, VOCABULARY),
    ("tft layer", "transformed", CONVERTED, CONVERTED, CONVERTED),
]


@pytest.mark.parametrize(
    ("model", "signature", "target", "refused"),
    [
        pytest.param(
            model,
            signature,
            target,
            refused,
            id=f"{model} {signature} to {target}",
            marks=[pytest.mark.reference] if target == "tfjs" else [],
        )
        for model, signature, *results in TABLE
        for target, refused in zip(("litert", "onnx", "tfjs"), results, strict=True)
    ],
)
def test_a_model_converts_or_is_refused(
    models, records, tmp_path, model, signature, target, refused
):
    source, destination = str(models / model), str(tmp_path / "to")
    wanted = RewriteTarget(to=target, make_environment=target == "tfjs")
    if refused:
        with pytest.raises(ValueError, match=f"(?s){refused}"):
            rewrite(source, destination, wanted, records, signature)
        assert not os.path.exists(destination) or os.listdir(destination) == []
        return
    rewrite(source, destination, wanted, records, signature)
    report = compare_with_source(source, destination, wanted, records, signature)
    assert report["problems"] == []
    assert report["examples"] == len(records)
    assert all(output["largest_value"] > 0 for output in report["outputs"])
