"""Rewriters to the formats of other runtimes: declared, and refused when they are to write."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from trainwright.components.trainer.rewriting.rewriter import (
    BaseRewriter,
    ModelDescription,
    ModelType,
)

# TFX's name: the directory of a SavedModel that holds requests to warm up with.
EXTRA_ASSETS_DIRECTORY = "assets.extra"

# The flags of the converter of tensorflowjs.
CONVERTER_SAVED_MODEL_INPUT_FLAG = "--input_format=tf_saved_model"
CONVERTER_SERVING_TAG_FLAG = "--saved_model_tags=serve"
CONVERTER_DEFAULT_SIGNATURE_FLAG = "--signature_name=serving_default"


class TFLiteRewriter(BaseRewriter):
    """Would convert a SavedModel for LiteRT (TFLite), which this version does not do.

    Args:
        name: What messages call it.
        filename: The file to write, below the path of the rewritten model.
        copy_assets: Whether `assets` are copied.
        copy_assets_extra: Whether `assets.extra` are copied.
        quantization_optimizations: Optimizations of the converter.
        quantization_supported_types: Types of the converter.
        quantization_enable_full_integer: Whether all numbers become integers; needs
            `representative_dataset`.
        signature_key: The signature to convert.
        representative_dataset: A function that gives inputs to calibrate with.
        **kwargs: For a converter of the user's own.
    """

    def __init__(
        self,
        name: str,
        filename: str = "tflite",
        copy_assets: bool = True,
        copy_assets_extra: bool = True,
        quantization_optimizations: Sequence[Any] | None = None,
        quantization_supported_types: Sequence[Any] | None = None,
        quantization_enable_full_integer: bool = False,
        signature_key: str | None = None,
        representative_dataset: Callable[..., Any] | None = None,
        **kwargs: Any,
    ) -> None:
        if quantization_enable_full_integer and representative_dataset is None:
            raise ValueError(
                "If quantization_enable_full_integer is set to `True`, then "
                "`representative_dataset` must be defined."
            )
        self._name = name

    @property
    def name(self) -> str:
        return self._name

    def _pre_rewrite_validate(self, original_model: ModelDescription) -> None:
        if original_model.model_type is not ModelType.SAVED_MODEL:
            raise ValueError("TFLiteRewriter can only convert SavedModels.")

    def _rewrite(self, original_model: ModelDescription, rewritten_model: ModelDescription) -> None:
        if rewritten_model.model_type not in (ModelType.TFLITE_MODEL, ModelType.ANY_MODEL):
            raise ValueError("TFLiteConverter can only convert to the TFLite format.")
        raise RuntimeError(
            "TFLiteRewriter does not convert models in this version of Trainwright. Convert in "
            "run_fn instead: save the SavedModel, then write what "
            "tf.lite.TFLiteConverter.from_saved_model(path).convert() returns to a file in "
            "fn_args.serving_model_dir."
        )

    def _post_rewrite_validate(self, rewritten_model: ModelDescription) -> None:
        """Nothing is known of the format here."""


class TFJSRewriter(BaseRewriter):
    """Would convert a SavedModel for TensorFlow.js, which this version does not do.

    Args:
        name: What messages call it.
    """

    def __init__(self, name: str) -> None:
        self._name = name

    @property
    def name(self) -> str:
        return self._name

    def _pre_rewrite_validate(self, original_model: ModelDescription) -> None:
        if original_model.model_type is not ModelType.SAVED_MODEL:
            raise ValueError("TFJSRewriter can only convert SavedModels.")

    def _rewrite(self, original_model: ModelDescription, rewritten_model: ModelDescription) -> None:
        if rewritten_model.model_type not in (ModelType.TFJS_MODEL, ModelType.ANY_MODEL):
            raise ValueError("TFJSConverter can only convert to the TFJS format.")
        raise RuntimeError(
            "TFJSRewriter does not convert models in this version of Trainwright. Convert in a "
            "component of your own after the Trainer, with tensorflowjs_converter "
            f"{CONVERTER_SAVED_MODEL_INPUT_FLAG} {original_model.path} {rewritten_model.path}."
        )

    def _post_rewrite_validate(self, rewritten_model: ModelDescription) -> None:
        """Nothing is known of the format here."""
