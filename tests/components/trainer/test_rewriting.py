"""Rewriters of the user's own, and the two ways to call a rewriter."""

import os

import pytest

from trainwright.components.trainer.rewriting.converters import (
    RewritingExporter,
    rewrite_saved_model,
)
from trainwright.components.trainer.rewriting.rewriter import (
    BaseRewriter,
    ModelDescription,
    ModelType,
)
from trainwright.components.trainer.rewriting.rewriter_factory import create_rewriter


class StepRewriter(BaseRewriter):
    """Notes its steps and fails in one of them."""

    def __init__(self, failing=None):
        self.failing = failing
        self.steps = []

    @property
    def name(self):
        return "steps"

    def _do(self, step):
        self.steps.append(step)
        if step == self.failing:
            raise ValueError(f"no {step}")

    def _pre_rewrite_validate(self, original_model):
        self._do("before")

    def _rewrite(self, original_model, rewritten_model):
        self.models = original_model, rewritten_model
        self._do("rewrite")

    def _post_rewrite_validate(self, rewritten_model):
        self._do("after")


@pytest.mark.parametrize(
    ("failing", "steps", "message"),
    [
        ("before", 1, "steps failed to perform pre-rewrite validation. Original model"),
        ("rewrite", 2, "steps failed to rewrite model. Original model"),
        ("after", 3, "steps failed to validate rewritten model. Rewritten model"),
    ],
)
def test_a_failing_step_is_named_and_ends_the_rewriting(failing, steps, message):
    rewriter = StepRewriter(failing)
    with pytest.raises(ValueError, match=message):
        rewrite_saved_model("/from", "/to", rewriter)
    assert rewriter.steps == ["before", "rewrite", "after"][:steps]


def test_a_saved_model_is_rewritten_to_another_directory():
    rewriter = create_rewriter("steprewriter")
    rewrite_saved_model("/from", "/to", rewriter, ModelType.TFLITE_MODEL)
    assert rewriter.models == (
        ModelDescription(ModelType.SAVED_MODEL, "/from"),
        ModelDescription(ModelType.TFLITE_MODEL, "/to"),
    )
    with pytest.raises(ValueError, match="Source path and destination path cannot match"):
        rewrite_saved_model("/from", "/from", rewriter)


class Exporter:
    name = "final"

    def export(self, estimator, export_path, checkpoint_path, eval_result, is_final):
        exported = os.path.join(export_path, "1")
        os.mkdir(exported)
        with open(os.path.join(exported, "saved_model.pb"), "w") as file:
            file.write("graph")
        return exported


class Writer(StepRewriter):
    def _rewrite(self, original_model, rewritten_model):
        super()._rewrite(original_model, rewritten_model)
        (self.seen,) = os.listdir(os.path.dirname(os.path.dirname(original_model.path)))
        with open(f"{rewritten_model.path}/tflite", "w") as file:
            file.write("flat")


def test_an_exported_model_is_replaced_by_the_rewritten_one(tmp_path):
    writer = Writer()
    exporter = RewritingExporter(Exporter(), writer)
    assert exporter.name == "final"
    assert exporter.export(None, str(tmp_path), "", None, True) == str(tmp_path / "1")
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["tflite"]
    # If it were killed meanwhile, the Trainer would find nothing but this.
    assert writer.seen.startswith("temp-")


def test_an_export_is_removed_that_cannot_be_rewritten(tmp_path):
    exporter = RewritingExporter(Exporter(), Writer("rewrite"))
    with pytest.raises(ValueError, match="no rewrite"):
        exporter.export(None, str(tmp_path), "", None, True)
    assert os.listdir(tmp_path) == []


def test_unknown_rewriters_are_refused():
    with pytest.raises(ValueError, match="Failed to find rewriter: nonsense"):
        create_rewriter("Nonsense")
