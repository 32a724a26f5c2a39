"""Targets of a Rewriter: how they are said, and what is refused when they are."""

import pytest

from trainwright.components import Rewriter, RewriteTarget
from trainwright.components.rewriter.driver import RewriterDriver
from trainwright.components.rewriter.targets import decode_targets, encode_targets, read_targets
from trainwright.evaluation.models.tfjs_runtime import NODE_MODULES_VARIABLE
from trainwright.types.channel import Channel
from trainwright.types.standard_artifacts import Examples, Model

MODEL, EXAMPLES = Channel(type=Model), Channel(type=Examples)


def test_each_target_is_an_output_that_evaluators_and_pushers_take():
    targets = [
        "onnx",
        {"to": "litert", "quantize": "float16"},
        RewriteTarget(to="tfjs", name="web"),
    ]
    rewriter = Rewriter(MODEL, EXAMPLES, targets)
    assert {key: channel.type.TYPE_NAME for key, channel in rewriter.outputs.items()} == {
        "onnx": "Model",
        "litert_float16": "Model",
        "web": "Model",
        "report": "RewriteReport",
    }
    other = Rewriter(MODEL, EXAMPLES, ["litert"]).with_id("Other")
    assert set(other.outputs) == {"litert", "report"}


def test_targets_travel_as_text():
    targets = read_targets(["onnx", {"to": "litert", "difference": 0.5, "agreement": 0.1}])
    assert decode_targets(encode_targets(targets)) == targets
    assert targets[1].tolerance.difference == 0.5
    assert targets[0].tolerance.agreement == 0.999


@pytest.mark.parametrize(
    ("targets", "message"),
    [
        ([], "expected a list, such as"),
        ("onnx", "expected a list, such as"),
        (["onx"], "to='onx'.*onnx"),
        ([{"to": "litert", "quantise": "float16"}], "'quantise'.*quantize"),
        ([{"to": "litert", "quantize": "int8"}], "quantize='int8'"),
        (["onnx", "onnx"], "Two targets of the Rewriter are called 'onnx'"),
        ([{"to": "onnx", "name": "../x"}], "expected letters, digits"),
        ([{"to": "onnx", "name": "report"}], "not 'report'"),
        ([{"to": "onnx", "difference": -1}], "expected a number >= 0"),
        ([{"to": "onnx", "difference": float("nan")}], "expected a number >= 0"),
        ([{"to": "onnx", "agreement": 2}], "expected a fraction between 0 and 1"),
        ([{"to": "onnx", "compare": False}], "compare=False, which is for 'tfjs' alone"),
        ([{"to": "litert", "make_environment": True}], "which is for 'tfjs' alone"),
        ([{"to": "tfjs", "quantize": "full_integer"}], "computes with floats.*dynamic_range"),
        ([{"to": "tfjs", "compare": "no"}], "compare='no': expected True or False"),
    ],
)
def test_targets_that_cannot_be_are_refused(targets, message):
    with pytest.raises(ValueError, match=message):
        Rewriter(MODEL, EXAMPLES, targets)


def test_tfjs_without_node_is_refused_before_anything_runs(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv(NODE_MODULES_VARIABLE, raising=False)
    rewriter = Rewriter(MODEL, EXAMPLES, ["tfjs"])
    with pytest.raises(ValueError, match="'tfjs' cannot be compared.*make_environment.*compare="):
        RewriterDriver().check(rewriter, rewriter.exec_properties)
    for allowed in ({"compare": False}, {"make_environment": True}):
        rewriter = Rewriter(MODEL, EXAMPLES, [{"to": "tfjs", **allowed}])
        RewriterDriver().check(rewriter, rewriter.exec_properties)
    assert list(tmp_path.iterdir()) == []


def test_a_missing_extra_is_named_before_anything_runs(monkeypatch):
    from trainwright.components.rewriter import driver

    monkeypatch.setattr(driver, "is_installed", lambda name: False)
    rewriter = Rewriter(MODEL, EXAMPLES, ["onnx"])
    with pytest.raises(ValueError, match=r"needs tf2onnx: pip install 'trainwright\[export\]'"):
        RewriterDriver().check(rewriter, rewriter.exec_properties)
