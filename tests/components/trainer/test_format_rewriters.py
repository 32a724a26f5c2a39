"""Rewriters to LiteRT and ONNX on small real models: what they compute, copy, refuse and leave."""

from __future__ import annotations

import os
import shutil

import numpy as np
import pytest

from trainwright.components.trainer.rewriting.converters import rewrite_saved_model
from trainwright.components.trainer.rewriting.onnx_rewriter import OnnxRewriter
from trainwright.components.trainer.rewriting.rewriter import ModelDescription, ModelType
from trainwright.components.trainer.rewriting.rewriter_factory import (
    ONNX_REWRITER,
    create_rewriter,
    make_rewriter,
)
from trainwright.components.trainer.rewriting.saved_model_signatures import read_signatures
from trainwright.components.trainer.rewriting.tflite_rewriter import TFLiteRewriter

FILES = {"litert": "tflite", "onnx": "model.onnx"}
INPUT = np.random.default_rng(7).normal(size=[5, 64]).astype(np.float32)


@pytest.fixture(scope="module")
def saved_model(tmp_path_factory):
    """A SavedModel with a signature for each kind of input that people have."""
    import tensorflow as tf

    place = tmp_path_factory.mktemp("model")
    (place / "words.txt").write_text("a\nb\nc\n")

    class Model(tf.Module):
        def __init__(self):
            weights = np.random.default_rng(8).normal(size=[64, 32])
            self.weights = tf.Variable(weights.astype(np.float32))
            lines = tf.lookup.TextFileInitializer(
                str(place / "words.txt"),
                tf.string,
                tf.lookup.TextFileIndex.WHOLE_LINE,
                tf.int64,
                tf.lookup.TextFileIndex.LINE_NUMBER,
            )
            self.words = tf.lookup.StaticHashTable(lines, -1)
            pairs = tf.lookup.KeyValueTensorInitializer(["a", "b"], tf.constant([5, 7], tf.int64))
            self.keys = tf.lookup.StaticHashTable(pairs, -1)

        def compute(self, x):
            logits = x @ self.weights
            return {"logits": logits, "scores": tf.nn.softmax(logits)}

    model = Model()

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string, name="examples")])
    def from_examples(examples):
        parsed = tf.io.parse_example(examples, {"x": tf.io.FixedLenFeature([64], tf.float32)})
        return model.compute(parsed["x"])

    @tf.function(input_signature=[tf.TensorSpec([None, 64], tf.float32, name="x")])
    def from_features(x):
        return model.compute(x)

    def from_table(table):
        @tf.function(input_signature=[tf.TensorSpec([None], tf.string, name="word")])
        def look_up(word):
            return {"number": table.lookup(word) + 1}

        return look_up

    path = place / "saved_model"
    tf.saved_model.save(
        model,
        str(path),
        signatures={
            "serving_default": from_examples,
            "features": from_features,
            "words": from_table(model.words),
            "keys": from_table(model.keys),
        },
    )
    (path / "assets.extra").mkdir()
    (path / "assets.extra" / "tf_serving_warmup_requests").write_bytes(b"requests")
    return str(path)


@pytest.fixture(scope="module")
def expected(saved_model):
    import tensorflow as tf

    outputs = tf.saved_model.load(saved_model).signatures["features"](x=tf.constant(INPUT))
    return {name: value.numpy() for name, value in outputs.items()}


def batches():
    for row in INPUT:
        yield {"x": row[np.newaxis]}


def run(target, path, **inputs):
    if target == "litert":
        from ai_edge_litert.interpreter import Interpreter

        return Interpreter(str(path)).get_signature_runner()(**inputs)
    import onnxruntime

    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    names = [output.name for output in session.get_outputs()]
    return dict(zip(names, session.run(None, inputs), strict=True))


def files_below(path):
    return sorted(
        os.path.relpath(os.path.join(directory, name), path)
        for directory, _, names in os.walk(path)
        for name in names
    )


@pytest.mark.parametrize("target", ["litert", "onnx"])
def test_each_quantization_computes_what_the_source_does(target, saved_model, expected, tmp_path):
    tolerances = {"none": 1e-4, "float16": 0.05, "dynamic_range": 0.5, "full_integer": 1.5}
    sizes = {}
    for quantize, tolerance in tolerances.items():
        rewriter = make_rewriter(
            target,
            quantize=quantize,
            signature_key="features",
            representative_dataset=batches if quantize == "full_integer" else None,
        )
        rewrite_saved_model(saved_model, str(tmp_path / quantize), rewriter, ModelType.ANY_MODEL)
        path = tmp_path / quantize / FILES[target]
        outputs = run(target, path, x=INPUT)
        assert outputs.keys() == expected.keys()
        np.testing.assert_allclose(outputs["logits"], expected["logits"], atol=tolerance)
        assert (outputs["scores"].argmax(1) == expected["scores"].argmax(1)).all()
        sizes[quantize] = path.stat().st_size
    assert sizes["none"] > sizes["float16"] > sizes["dynamic_range"]
    assert sizes["none"] > sizes["full_integer"]


def test_assets_and_warm_up_requests_are_copied_unless_left_out(saved_model, tmp_path):
    def rewrite(name, **options):
        rewriter = TFLiteRewriter("lite", signature_key="features", **options)
        rewrite_saved_model(saved_model, str(tmp_path / name), rewriter, ModelType.TFLITE_MODEL)
        return files_below(tmp_path / name)

    assert rewrite("all", filename="model.tflite") == [
        "assets.extra/tf_serving_warmup_requests",
        "assets/words.txt",
        "model.tflite",
    ]
    assert rewrite("some", copy_assets=False, copy_assets_extra=False) == ["tflite"]


@pytest.mark.parametrize(
    ("link", "leads_to"),
    [
        ("assets/secret", "/etc/passwd"),
        ("assets.extra/secret", "nowhere"),
        ("assets.extra/secret", "{place}/model"),
        ("assets.extra", "/etc"),
    ],
)
def test_links_out_of_the_model_are_not_followed(link, leads_to, saved_model, tmp_path):
    source = tmp_path / "model"
    shutil.copytree(saved_model, source)
    if link == "assets.extra":
        shutil.rmtree(source / link)
    os.symlink(leads_to.format(place=tmp_path), source / link)
    rewriter = make_rewriter("litert", signature_key="features")
    with pytest.raises(ValueError, match=f"{link}' is a link to .* not a file of the SavedModel"):
        rewrite_saved_model(str(source), str(tmp_path / "to"), rewriter, ModelType.TFLITE_MODEL)
    assert not (tmp_path / "to").exists()


@pytest.mark.parametrize("target", ["litert", "onnx"])
def test_a_signature_of_examples_is_refused_with_one_that_would_do(target, saved_model, tmp_path):
    destination = tmp_path / "to"
    with pytest.raises(ValueError) as error:
        rewrite_saved_model(
            saved_model, str(destination), make_rewriter(target), ModelType.ANY_MODEL
        )
    assert "does not have ParseExampleV2 (parses serialized tf.Examples)" in str(error.value)
    assert "'features' (x: float32 [None, 64])" in str(error.value)
    assert "signature_key='features'" in str(error.value)
    assert not destination.exists()


def test_without_another_signature_it_is_said_how_to_save_one(saved_model, tmp_path):
    import tensorflow as tf

    loaded = tf.saved_model.load(saved_model)
    tf.saved_model.save(loaded, str(tmp_path / "from"), {"s": loaded.signatures["serving_default"]})
    with pytest.raises(ValueError, match="Save one that begins after the parsing: tf.saved_model"):
        rewrite_saved_model(
            str(tmp_path / "from"), str(tmp_path / "to"), OnnxRewriter("o"), ModelType.ONNX_MODEL
        )


def test_an_output_that_cannot_be_converted(tmp_path):
    import tensorflow as tf

    @tf.function(input_signature=[tf.TensorSpec([None], tf.float32, name="x")])
    def classify(x):
        return {"class": tf.strings.as_string(tf.cast(x, tf.int32))}

    tf.saved_model.save(tf.Module(), str(tmp_path / "from"), {"serving_default": classify})
    with pytest.raises(ValueError, match="AsString .writes numbers as .*leaves out the outputs"):
        rewrite_saved_model(
            str(tmp_path / "from"),
            str(tmp_path / "to"),
            make_rewriter("litert"),
            ModelType.TFLITE_MODEL,
        )


def test_lookup_tables(saved_model, tmp_path):
    words = np.array([b"a", b"b", b"z"], dtype=object)
    lite = make_rewriter("litert", signature_key="keys")
    rewrite_saved_model(saved_model, str(tmp_path / "keys"), lite, ModelType.TFLITE_MODEL)
    found = run("litert", tmp_path / "keys" / "tflite", word=words)["number"]
    assert found.tolist() == [6, 8, 0]

    # The converter writes a file that fails when it is run.
    lite = make_rewriter("litert", signature_key="words")
    with pytest.raises(ValueError, match="InitializeTableFromTextFileV2 .a lookup table that is"):
        rewrite_saved_model(saved_model, str(tmp_path / "words"), lite, ModelType.TFLITE_MODEL)
    assert not (tmp_path / "words").exists()

    onnx = make_rewriter("onnx", signature_key="words")
    rewrite_saved_model(saved_model, str(tmp_path / "words"), onnx, ModelType.ONNX_MODEL)
    word = np.array([word.decode() for word in words])
    found = run("onnx", tmp_path / "words" / "model.onnx", word=word)["number"]
    assert found.tolist() == [1, 2, 0]


@pytest.mark.parametrize("target", ["litert", "onnx", "tfjs"])
@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "is not a SavedModel: it has no saved_model.pb. It holds variables"),
        (b"", "saved_model.pb is empty"),
        (b"\xff\xfenonsense", "saved_model.pb is corrupt: it does not parse"),
    ],
)
def test_a_source_that_is_not_whole_is_refused(target, content, message, tmp_path):
    source, destination = tmp_path / "from", tmp_path / "to"
    (source / "variables").mkdir(parents=True)
    if content is not None:
        (source / "saved_model.pb").write_bytes(content)
    with pytest.raises(ValueError, match=message):
        rewrite_saved_model(
            str(source), str(destination), make_rewriter(target), ModelType.ANY_MODEL
        )
    assert not destination.exists()


def test_variables_that_are_missing_leave_nothing_behind(saved_model, tmp_path):
    source, destination = tmp_path / "from", tmp_path / "to"
    source.mkdir()
    os.link(f"{saved_model}/saved_model.pb", source / "saved_model.pb")
    destination.mkdir()
    (destination / "notes").touch()
    for target in FILES:
        with pytest.raises(ValueError, match="could not be converted"):
            rewrite_saved_model(
                str(source),
                str(destination),
                make_rewriter(target, signature_key="features"),
                ModelType.ANY_MODEL,
            )
    assert os.listdir(destination) == ["notes"]


class WatchingRewriter(TFLiteRewriter):
    """Has a converter of its own, as users have, and looks around while that converts."""

    def _create_tflite_converter(self, saved_model_path, **options):
        self.options = options
        return self

    def convert(self):
        self.seen = os.listdir(self.options["destination"])
        return self.options["result"]


def test_a_model_is_invisible_until_it_is_whole(saved_model, tmp_path):
    rewriter = WatchingRewriter("mine", destination=tmp_path, result="model", copy_assets=False)
    (tmp_path / "tflite").write_text("an earlier one")
    rewrite_saved_model(saved_model, str(tmp_path), rewriter, ModelType.TFLITE_MODEL)
    (unfinished,) = set(rewriter.seen) - {"tflite"}
    assert unfinished.startswith("temp-")
    assert (tmp_path / "tflite").read_text() == "model"
    assert not (tmp_path / unfinished).exists()
    assert rewriter.options["quantization_optimizations"] == []
    assert rewriter.options["signature_key"] is None


def test_further_options_reach_tensorflows_converter(saved_model, caplog):
    rewriter = TFLiteRewriter("lite", signature_key="features")
    converter = rewriter._create_tflite_converter(
        saved_model, [], [], signature_key="features", allow_custom_ops=True, output_arrays=["y"]
    )
    assert converter.allow_custom_ops
    assert (
        "lite was given output_arrays, which tf.lite.TFLiteConverter does not have" in caplog.text
    )


@pytest.mark.parametrize("target", ["litert", "onnx"])
def test_a_file_that_does_not_load_is_removed(target, tmp_path):
    file = tmp_path / FILES[target]
    file.write_bytes(b"nonsense that is long enough for a header")
    with pytest.raises(ValueError, match="It was removed"):
        make_rewriter(target)._post_rewrite_validate(
            ModelDescription(ModelType.ANY_MODEL, str(tmp_path))
        )
    assert not file.exists()


@pytest.mark.parametrize("target", ["litert", "onnx"])
def test_destinations_that_cannot_be(target, saved_model, tmp_path):
    rewriter = make_rewriter(target, signature_key="features")
    (tmp_path / "file").touch()
    # Nobody, not even root, makes a directory in /proc.
    for destination in (tmp_path / "file", tmp_path / "file" / "below", "/proc/model"):
        with pytest.raises(ValueError, match="cannot be written to .*(file|proc)"):
            rewrite_saved_model(saved_model, str(destination), rewriter, ModelType.ANY_MODEL)
    os.symlink(saved_model, tmp_path / "link")
    with pytest.raises(ValueError, match="Source path and destination path cannot match"):
        rewriter.perform_rewrite(
            ModelDescription(ModelType.SAVED_MODEL, saved_model),
            ModelDescription(ModelType.ANY_MODEL, str(tmp_path / "link")),
        )


def test_other_forms_are_refused(saved_model, tmp_path):
    for target, message in [("litert", "to the TFLite format"), ("onnx", "to the ONNX format")]:
        with pytest.raises(ValueError, match=message):
            rewrite_saved_model(
                saved_model, str(tmp_path), make_rewriter(target), ModelType.TFJS_MODEL
            )
        with pytest.raises(ValueError, match="can only convert SavedModels"):
            make_rewriter(target).perform_rewrite(
                ModelDescription(ModelType.TFJS_MODEL, saved_model),
                ModelDescription(ModelType.ANY_MODEL, str(tmp_path)),
            )


def test_names_that_nobody_has(saved_model, tmp_path):
    with pytest.raises(ValueError, match="Unknown target 'onxn'; did you mean 'onnx'"):
        make_rewriter("onxn")
    with pytest.raises(ValueError, match="Unknown quantization 'float61'; did you mean 'float16'"):
        make_rewriter("onnx", quantize="float61")
    with pytest.raises(ValueError, match="has no signature 'feature'; did you mean 'features'"):
        rewrite_saved_model(
            saved_model,
            str(tmp_path / "to"),
            create_rewriter(ONNX_REWRITER, name="onnx", signature_key="feature"),
            ModelType.ONNX_MODEL,
        )
    with pytest.raises(ValueError, match="Invalid signature key 'feature'.*features"):
        rewrite_saved_model(
            saved_model,
            str(tmp_path / "to"),
            make_rewriter("litert", signature_key="feature"),
            ModelType.TFLITE_MODEL,
        )
    with pytest.raises(ValueError, match="filename is 'a/b'; expected a name"):
        TFLiteRewriter("lite", filename="a/b")


def one_batch(**arrays):
    return lambda: iter([arrays])


@pytest.mark.parametrize("target", ["litert", "onnx"])
@pytest.mark.parametrize(
    ("dataset", "message"),
    [
        (one_batch(image=INPUT), "gives image; the signature 'features' takes x: float32"),
        (one_batch(x=INPUT.astype(float)), r"gives x as float64 \[5, 64\]; the signature"),
        (one_batch(x=INPUT[0]), r"gives x as float32 \[64\]; the signature .*\[None, 64\]"),
        (lambda: iter([[INPUT, INPUT]]), "gives lists of 2; the signature 'features' takes 1"),
        (lambda: iter([INPUT]), "gives ndarray; expected a dict of arrays"),
        (lambda: iter([]), "gives no batch"),
        ([INPUT], "is list; expected a function"),
    ],
    ids=["names", "type", "shape", "count", "array", "empty", "list"],
)
def test_a_representative_dataset_of_another_signature(
    target, dataset, message, saved_model, tmp_path
):
    rewriter = make_rewriter(
        target, quantize="full_integer", signature_key="features", representative_dataset=dataset
    )
    with pytest.raises(ValueError, match=message):
        rewrite_saved_model(saved_model, str(tmp_path / "to"), rewriter, ModelType.ANY_MODEL)
    assert not (tmp_path / "to").exists()


def test_the_dataset_and_the_quantization_belong_together():
    for target in FILES:
        with pytest.raises(ValueError, match="needs a representative_dataset: a function"):
            make_rewriter(target, quantize="full_integer")
        with pytest.raises(ValueError, match="quantize='float16', which has no use for it"):
            make_rewriter(target, quantize="float16", representative_dataset=batches)
    with pytest.raises(ValueError, match="`representative_dataset` must be defined"):
        TFLiteRewriter("lite", quantization_enable_full_integer=True)


def test_signatures_are_read_from_the_file(saved_model):
    signatures = read_signatures(saved_model)
    assert list(map(str, signatures.values())) == [
        "'features' (x: float32 [None, 64])",
        "'keys' (word: string [None])",
        "'serving_default' (examples: string [None])",
        "'words' (word: string [None])",
    ]
    assert "ParseExampleV2" in signatures["serving_default"].operations
    assert {"MatMul", "Softmax"} <= signatures["features"].operations
    assert not any("Table" in name for name in signatures["features"].operations)
