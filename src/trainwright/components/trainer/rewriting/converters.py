"""Rewriting a SavedModel with a rewriter."""

from __future__ import annotations

from typing import Any

from trainwright.components.trainer.rewriting.rewriter import (
    BaseRewriter,
    ModelDescription,
    ModelType,
)


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
    """TFX's exporter of Estimators; it is refused, as Estimators are."""

    def __init__(self, base_exporter: Any, rewriter_inst: BaseRewriter) -> None:
        raise RuntimeError(
            "RewritingExporter exports an Estimator's model, and Estimators ended with TensorFlow "
            "2.15. Save a Keras model in run_fn and call rewrite_saved_model."
        )
