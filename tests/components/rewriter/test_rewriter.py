"""The Rewriter and `trainwright export` on a real model: what is written, compared and refused."""

from __future__ import annotations

import json
import os
import re

import numpy as np
import pytest
from click.testing import CliRunner
from documented_output import block

from trainwright.cli.commands.export import export
from trainwright.components.rewriter.component import RewriteReport
from trainwright.components.rewriter.executor import Executor
from trainwright.components.rewriter.targets import encode_targets, read_targets
from trainwright.evaluation.models.evaluated_model import ModelSource
from trainwright.evaluation.models.parity import (
    ParityReport,
    Tolerance,
    compare_models,
    write_report,
)
from trainwright.html_views.artifact_page import to_html
from trainwright.types.standard_artifacts import Examples, Model

tf = pytest.importorskip("tensorflow")
pytest.importorskip("ai_edge_litert")
pytest.importorskip("tf2onnx")


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A model of two features with a signature for each kind of input, and examples for it."""
    place = tmp_path_factory.mktemp("rewriter")
    kernel = tf.constant(np.random.RandomState(1).randn(3, 4).astype(np.float32))

    class Classifier(tf.Module):
        def __init__(self):
            self.kernel = tf.Variable(kernel)

        @tf.function(
            input_signature=[
                tf.TensorSpec([None, 2], tf.float32, name="pair"),
                tf.TensorSpec([None, 1], tf.float32, name="one"),
            ]
        )
        def classify(self, pair, one):
            return {"logits": tf.matmul(tf.concat([pair, one], 1), self.kernel)}

        @tf.function(input_signature=[tf.TensorSpec([None], tf.string, name="examples")])
        def parse(self, examples):
            spec = {
                "pair": tf.io.FixedLenFeature([2], tf.float32),
                "one": tf.io.FixedLenFeature([1], tf.float32),
            }
            parsed = tf.io.parse_example(examples, spec)
            return self.classify(parsed["pair"], parsed["one"])

    model = Classifier()
    signatures = {"serving_default": model.parse, "tensors": model.classify}
    tf.saved_model.save(model, str(place / "model" / "Format-Serving"), signatures=signatures)
    (place / "examples" / "Split-eval").mkdir(parents=True)
    path = str(place / "examples" / "Split-eval" / "data.gz")
    generator = np.random.RandomState(2)
    with tf.io.TFRecordWriter(path, "GZIP") as writer:
        for _ in range(50):
            example = tf.train.Example()
            example.features.feature["pair"].float_list.value.extend(generator.randn(2))
            example.features.feature["one"].float_list.value.append(generator.randn())
            writer.write(example.SerializeToString())
    return place


def rewrite(place, directory, targets, **properties):
    """Calls the executor; returns the outputs by key."""
    model, examples = Model(), Examples()
    model.uri = str(place / "model")
    examples.uri, examples.split_names = str(place / "examples"), '["eval"]'
    read = read_targets(targets)
    outputs = {target.key: [Model()] for target in read} | {"report": [RewriteReport()]}
    for key, (artifact,) in outputs.items():
        artifact.uri = str(directory / key)
    properties = {"signature_name": "tensors", "num_examples": 40, **properties}
    Executor().Do(
        {"model": [model], "examples": [examples]},
        outputs,
        {"targets": encode_targets(read), **properties},
    )
    return {key: artifact for key, (artifact,) in outputs.items()}


def test_rewritten_models_say_what_their_source_says(place, tmp_path):
    outputs = rewrite(
        place, tmp_path, ["litert", "onnx", {"to": "litert", "quantize": "full_integer"}]
    )
    assert os.listdir(tmp_path / "litert" / "Format-Serving") == ["tflite"]
    assert os.listdir(tmp_path / "onnx" / "Format-Serving") == ["model.onnx"]
    assert outputs["litert_full_integer"].get_string_custom_property("quantization") == (
        "full_integer"
    )
    written = json.loads((tmp_path / "report" / "parity.json").read_text())["targets"]
    exact = ParityReport.from_json({k: v for k, v in written["onnx"].items() if k != "problems"})
    (logits,) = exact.outputs
    assert (logits.name, logits.agreement) == ("logits", 1.0)
    assert logits.largest_absolute < 1e-5
    assert exact.examples == 40
    assert exact.source.size > exact.rewritten.size > 0
    assert exact.rewritten.milliseconds > 0
    integers = written["litert_full_integer"]["outputs"][0]
    assert 0 < integers["largest_absolute"] < 0.3
    summary = outputs["report"].get_string_custom_property("summary")
    assert "onnx: differs by up to" in summary
    page = to_html("RewriteReport", str(tmp_path / "report"))
    assert "litert_full_integer" in page
    assert 'aria-label="all targets"' in page
    assert page.count("Passed</strong>") == 6  # in the table of all targets, and in each section


def test_what_differs_too_much_fails_and_leaves_its_report(place, tmp_path):
    strict = {"to": "litert", "quantize": "full_integer", "difference": 1e-6}
    with pytest.raises(RuntimeError, match="output 'logits' differs by up to .* is allowed"):
        rewrite(place, tmp_path, [strict])
    assert RewriteReport.KEPT_ON_FAILURE
    assert "Refused" in to_html("RewriteReport", str(tmp_path / "report"))


def test_a_signature_that_parses_is_refused_with_the_one_that_does_not(place, tmp_path):
    with pytest.raises(ValueError, match="(?s)ParseExample.*'tensors'"):
        rewrite(place, tmp_path, ["litert"], signature_name="")
    assert not (tmp_path / "litert" / "Format-Serving" / "tflite").exists()


def test_tfjs_is_refused_before_anything_is_converted(place, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    with pytest.raises(ValueError, match="'tfjs' cannot be compared with its source"):
        rewrite(place, tmp_path, ["litert", "tfjs"])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.reference
def test_tfjs_is_compared_by_node_unless_its_target_says_not(place, tmp_path):
    made = {"to": "tfjs", "make_environment": True}
    rewrite(place, tmp_path, [made, {**made, "name": "blind", "compare": False}])
    written = json.loads((tmp_path / "report" / "parity.json").read_text())["targets"]
    (logits,) = written["tfjs"]["outputs"]
    assert logits["name"] == "logits"
    assert logits["largest_absolute"] < 1e-5
    assert logits["agreement"] == 1.0
    assert written["tfjs"]["rewritten"]["milliseconds"] > 0
    page = to_html("RewriteReport", str(tmp_path / "report"))
    assert "Not compared with its source, because its target says compare=False" in page
    strict = {**made, "quantize": "dynamic_range", "difference": 1e-9}
    with pytest.raises(RuntimeError, match="tfjs_dynamic_range: output 'logits' differs"):
        rewrite(place, tmp_path / "strict", [strict])
    done = call(
        *(place / "model", "--to", "tfjs", "--signature", "tensors", "--make-environment"),
        *("--check", place / "examples", "-o", tmp_path / "exported"),
    )
    assert done.exit_code == 0, done.output
    assert "It differs by up to" in done.output


def test_a_split_without_examples_is_named(place, tmp_path):
    with pytest.raises(ValueError, match="Split does not exist|no examples"):
        rewrite(place, tmp_path, ["litert"], example_splits='["test"]')


def test_without_examples_nothing_is_compared(place):
    source = ModelSource(str(place / "model" / "Format-Serving"))
    with pytest.raises(ValueError, match="There are no examples"):
        compare_models(source, source, [], Tolerance(difference=1, agreement=0))


class Fixed:
    """A model that says the same of every example; loaded by its factory's name."""

    def __init__(self, path, spec, **outputs):
        self._outputs = outputs

    def features_needed(self, names):
        return set()

    def predict(self, serialized, columns):
        return {name: np.array([value] * len(serialized)) for name, value in self._outputs.items()}


def compare(before, after):
    factory = f"{__name__}:Fixed"
    sources = (ModelSource("nowhere", factory, outputs) for outputs in (before, after))
    empty = tf.train.Example().SerializeToString()
    return compare_models(*sources, [empty] * 4, Tolerance(difference=0.1, agreement=0.9))


def test_models_of_other_outputs_are_not_compared():
    with pytest.raises(ValueError, match="returns a, c, and its source a, b"):
        compare({"a": 1.0, "b": 1.0}, {"a": 1.0, "c": 1.0})
    with pytest.raises(ValueError, match="has the shape"):
        compare({"a": [1.0, 2.0]}, {"a": [1.0, 2.0, 3.0]})
    # The only output may have been renamed.
    assert compare({"a": 1.0}, {"Identity": 1.0}).problems == []


def test_nan_another_class_and_another_string_are_problems():
    assert "differs by up to nan" in compare({"a": 1.0}, {"a": float("nan")}).problems[0]
    near_tie = compare({"a": [0.5, 0.51]}, {"a": [0.51, 0.5]})
    assert "names the same class in 0.0% of the examples" in near_tie.problems[0]
    assert "0.0% of the examples" in compare({"a": b"cat"}, {"a": b"dog"}).problems[0]


def test_names_on_the_page_are_text_and_nan_is_seen(tmp_path):
    hostile = "<script>alert(1)</script>"
    written = compare({hostile: 1.0, "b": 1.0}, {hostile: 1.0, "b": float("nan")}).to_json()
    write_report(str(tmp_path / "parity.json"), {hostile: written, "web": {"remark": hostile}})
    assert "NaN" not in (tmp_path / "parity.json").read_text(), "which JSON does not have"
    page = to_html("RewriteReport", str(tmp_path))
    assert "<script>alert" not in page
    assert page.count("&lt;script&gt;alert(1)") >= 4
    summary = page[page.index('aria-label="all targets"') : page.index("</table>")]
    assert "Refused" in summary
    assert ">nan<" in summary
    assert "Not compared" in summary


def test_a_damaged_report_has_no_page(tmp_path):
    (tmp_path / "parity.json").write_text('{"targets": {"onnx": {}}}')
    with pytest.raises(ValueError, match="is not a report of a Rewriter"):
        to_html("RewriteReport", str(tmp_path))


def call(*arguments):
    return CliRunner().invoke(export, [str(argument) for argument in arguments])


def without_numbers(text):
    return re.sub(r"\b[\d.]*\d(e-\d+)?\b", "N", text)


def test_a_model_is_exported_by_the_command(place, tmp_path):
    model, examples = place / "model", place / "examples"
    common = ("--signature", "tensors", "--check", examples)
    done = call(model, "--to", "onnx", *common, "--output", tmp_path / "onnx", "--json")
    assert done.exit_code == 0, done.output
    answer = json.loads(done.stdout)
    assert answer["model"] == str(tmp_path / "onnx")
    assert answer["comparison"]["problems"] == []
    assert os.listdir(tmp_path / "onnx") == ["model.onnx"]
    told = call(model, "--to", "onnx", *common, "--output", tmp_path / "told")
    shown = block("docs/command_line.md", "serving_model/1-onnx was written")
    shown = shown.replace("serving_model/1-onnx", str(tmp_path / "told"))
    assert without_numbers(told.output.strip()) == without_numbers(shown.strip())
    again = call(model, "--to", "onnx", *common, "--output", tmp_path / "onnx")
    assert again.exit_code == 2
    assert "is there already" in again.output


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--to", "litert", "--signature", "tensrs"], 2, "tensrs"),
        (["--to", "litert", "--quantize", "full_integer"], 2, "calibrated with examples: --check"),
        (["--to", "litert", "--check", "nowhere"], 2, "cannot be read"),
        (["--to", "tfjs", "--signature", "tensors"], 2, "--make-environment, or --python"),
        (["--to", "tfjs", "--check", "{examples}"], 2, "or leave out --check"),
        (["--to", "tfjs", "--quantize", "full_integer"], 2, "computes with floats"),
        (["--to", "onnx", "--make-environment"], 2, "for 'tfjs' alone"),
        (["--to", "onnx", "--python", "python3"], 2, "--python is for --to tfjs"),
        (["--to", "coreml"], 2, "'coreml' is not one of"),
        (["--to", "onnx", "--num-examples", "0"], 2, "0 is not in the range"),
        (["--to", "onnx", "--signature", "tensors", "--check", "{others}"], 2, "Known are 'three'"),
    ],
)
def test_what_cannot_be_exported_is_said_and_leaves_nothing(
    place, tmp_path, monkeypatch, arguments, code, message
):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    others = tmp_path / "others"
    with tf.io.TFRecordWriter(str(others)) as writer:
        example = tf.train.Example()
        example.features.feature["three"].float_list.value.append(3)
        writer.write(example.SerializeToString())
    arguments = [one.format(examples=place / "examples", others=others) for one in arguments]
    output = tmp_path / "models" / "new"
    done = call(place / "model", *arguments, "--output", output)
    assert done.exit_code == code, done.output
    assert message in done.output
    assert not output.exists()
    assert not list(tmp_path.glob("models/.export-*"))


@pytest.mark.parametrize("parent", ["file", "/proc/nowhere"])
def test_a_place_that_cannot_be_written_to_is_said(place, tmp_path, parent):
    (tmp_path / "file").touch()
    output = tmp_path / parent / "new"
    done = call(place / "model", "--to", "onnx", "--signature", "tensors", "--output", output)
    assert done.exit_code == 2, done.output
    assert f"cannot be written to {output}" in done.output
    assert os.listdir(tmp_path) == ["file"]


def test_a_model_that_differs_too_much_is_not_written(place, tmp_path):
    done = call(
        *(place / "model", "--to", "litert", "--signature", "tensors", "--difference", "1e-9"),
        *("--quantize", "float16", "--check", place / "examples", "-o", tmp_path / "new"),
    )
    assert done.exit_code == 1, done.output
    assert "Nothing was written: output 'logits' differs" in done.output
    assert os.listdir(tmp_path) == []


def test_what_is_not_a_saved_model_is_said(tmp_path):
    done = call(tmp_path, "--to", "onnx")
    assert done.exit_code == 2
    assert "expected saved_model.pb in it" in done.output
