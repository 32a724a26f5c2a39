"""Rewriting SavedModels: one that Keras saved, or what an Estimator's exporter exports."""

from __future__ import annotations

import os
import tempfile
from types import ModuleType
from typing import Any

from trainwright._after_import import after_import
from trainwright.components.trainer.rewriting.rewriter import (
    BaseRewriter,
    ModelDescription,
    ModelType,
)
from trainwright.components.trainer.rewriting.staging import UNFINISHED, refuse_same_directory


def rewrite_saved_model(
    src: str,
    dst: str,
    rewriter_inst: BaseRewriter,
    dst_model_type: ModelType = ModelType.SAVED_MODEL,
) -> None:
    """Rewrites a SavedModel to another directory.

    Args:
        src: The SavedModel.
        dst: Where the rewritten model goes.
        rewriter_inst: What rewrites it.
        dst_model_type: The form to write.

    Raises:
        ValueError: if both are one directory, or the rewriter refuses.
    """
    _invoke_rewriter(src, dst, rewriter_inst, ModelType.SAVED_MODEL, dst_model_type)


def _invoke_rewriter(
    src: str,
    dst: str,
    rewriter_inst: BaseRewriter,
    src_model_type: ModelType,
    dst_model_type: ModelType,
) -> None:
    refuse_same_directory(src, dst)
    rewriter_inst.perform_rewrite(
        ModelDescription(src_model_type, src), ModelDescription(dst_model_type, dst)
    )


class _ExporterToCome:
    """Stands for `tf.estimator.Exporter` until that is imported."""


class RewritingExporter(_ExporterToCome):
    """Exports a model with another exporter, and puts the rewritten model into its place.

    It is a `tf.estimator.Exporter`: give it to `EvalSpec(exporters=[...])`. If the rewriting
    fails or is killed, no export is left that could be taken for a model.

    Args:
        base_exporter: What exports the SavedModel.
        rewriter_inst: What rewrites it.

    Example: `RewritingExporter(tf.estimator.FinalExporter("taxi", serving_fn), rewriter)`
    """

    def __init__(self, base_exporter: Any, rewriter_inst: BaseRewriter) -> None:
        self._base_exporter = base_exporter
        self._rewriter = rewriter_inst

    @property
    def name(self) -> str:
        return str(self._base_exporter.name)

    def export(
        self,
        estimator: Any,
        export_path: str,
        checkpoint_path: str,
        eval_result: Any,
        is_the_final_export: bool,
    ) -> str | None:
        """The path of the rewritten model; None if the exporter has left this one out."""
        exported = self._base_exporter.export(
            estimator, export_path, checkpoint_path, eval_result, is_the_final_export
        )
        if not exported:
            return None
        exported = os.fsdecode(exported)
        with tempfile.TemporaryDirectory(prefix=UNFINISHED, dir=export_path) as aside:
            original, rewritten = os.path.join(aside, "original"), os.path.join(aside, "rewritten")
            # Out of the way first: what is there under this name counts as the model.
            os.rename(exported, original)
            os.mkdir(rewritten)
            _invoke_rewriter(
                original, rewritten, self._rewriter, ModelType.SAVED_MODEL, ModelType.ANY_MODEL
            )
            os.rename(rewritten, exported)
        return exported


def _derive_from_exporter(module: ModuleType) -> None:
    RewritingExporter.__bases__ = (module.Exporter,)


# EvalSpec takes exporters of that class alone, and this module must not import Estimators.
after_import("tensorflow_estimator.python.estimator.exporter", _derive_from_exporter)
