"""Rewriting a SavedModel with a rewriter."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from typing import Any

from trainwright.components.trainer.rewriting.rewriter import (
    BaseRewriter,
    ModelDescription,
    ModelType,
)

# The module that has the class of all exporters of Estimators.
_EXPORTERS = "tensorflow_estimator.python.estimator.exporter"


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
    if src == dst:
        raise ValueError("Source path and destination path cannot match.")
    rewriter_inst.perform_rewrite(
        ModelDescription(ModelType.SAVED_MODEL, src), ModelDescription(dst_model_type, dst)
    )


class RewritingExporter:
    """Exports a model with another exporter, and puts the rewritten model into its place.

    It is made for `tf.estimator.EvalSpec(exporters=[...])`, but anything with a `name` and an
    `export` of the same arguments will do.

    Args:
        base_exporter: What exports the SavedModel.
        rewriter_inst: What rewrites it.
    """

    def __new__(cls, *_: Any, **__: Any) -> RewritingExporter:
        """Of a subclass that is also a tf.estimator.Exporter, which EvalSpec asks for, where
        Estimators are in use: they need not be installed to import this."""
        estimators = sys.modules.get(_EXPORTERS)
        if estimators is not None and not issubclass(cls, estimators.Exporter):
            cls = type(cls.__name__, (cls, estimators.Exporter), {"__module__": cls.__module__})
        return super().__new__(cls)

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
        found = self._base_exporter.export(
            estimator, export_path, checkpoint_path, eval_result, is_the_final_export
        )
        if not found:
            return None
        exported = os.fsdecode(found)  # Estimators give bytes
        with tempfile.TemporaryDirectory(prefix="tmp-rewrite-", dir=export_path) as aside:
            rewritten = os.path.join(aside, "model")
            os.mkdir(rewritten)
            rewrite_saved_model(exported, rewritten, self._rewriter, ModelType.ANY_MODEL)
            shutil.rmtree(exported)
            os.rename(rewritten, exported)
        return exported
