"""Rewriters of the user's own work; those to other formats say what to do instead."""

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
from trainwright.components.trainer.rewriting.rewriter_factory import (
    TFJS_REWRITER,
    TFLITE_REWRITER,
    create_rewriter,
)


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


@pytest.mark.parametrize(
    ("kind", "model_type", "advice"),
    [
        (TFLITE_REWRITER, ModelType.TFLITE_MODEL, "TFLiteConverter.from_saved_model"),
        (TFJS_REWRITER, ModelType.TFJS_MODEL, "tensorflowjs_converter"),
    ],
)
def test_other_formats_are_refused_with_advice(kind, model_type, advice):
    rewriter = create_rewriter(kind, name="mine")
    assert rewriter.name == "mine"
    with pytest.raises(RuntimeError, match=advice):
        rewrite_saved_model("/from", "/to", rewriter, model_type)


def test_an_exported_model_is_replaced_by_the_rewritten_one(tmp_path):
    class Exporter:
        name = "final"

        def export(self, estimator, export_path, checkpoint_path, eval_result, is_final):
            (tmp_path / "1").mkdir()
            (tmp_path / "1" / "saved_model.pb").write_text("graph")
            return str(tmp_path / "1")

    class Writer(StepRewriter):
        def _rewrite(self, original_model, rewritten_model):
            with open(f"{rewritten_model.path}/tflite", "w") as file:
                file.write("flat")

    exporter = RewritingExporter(Exporter(), Writer())
    assert exporter.name == "final"
    assert exporter.export(None, str(tmp_path), "", None, True) == str(tmp_path / "1")
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["tflite"]


def test_unknown_rewriters_are_refused():
    with pytest.raises(ValueError, match="Failed to find rewriter: nonsense"):
        create_rewriter("Nonsense")
