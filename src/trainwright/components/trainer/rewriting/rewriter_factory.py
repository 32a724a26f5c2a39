"""Rewriters by name: `create_rewriter` as TFX has it, `make_rewriter` by what is to come out."""

from __future__ import annotations

import importlib
from typing import Any

from trainwright._suggest import did_you_mean
from trainwright.components.trainer.rewriting.quantization import (
    RepresentativeDataset,
    check_quantization,
)
from trainwright.components.trainer.rewriting.rewriter import BaseRewriter

TFLITE_REWRITER = "TFLiteRewriter"
TFJS_REWRITER = "TFJSRewriter"
ONNX_REWRITER = "OnnxRewriter"

# The forms that `make_rewriter` makes.
TARGETS = ("litert", "onnx", "tfjs")

# Imported when they are asked for, so that their classes are known.
_MODULES = {
    TFLITE_REWRITER.lower(): "trainwright.components.trainer.rewriting.tflite_rewriter",
    TFJS_REWRITER.lower(): "trainwright.components.trainer.rewriting.tfjs_rewriter",
    ONNX_REWRITER.lower(): "trainwright.components.trainer.rewriting.onnx_rewriter",
}


def create_rewriter(rewriter_type: str, *args: Any, **kwargs: Any) -> BaseRewriter:
    """Makes a rewriter with these arguments.

    Args:
        rewriter_type: The name of a direct subclass of `BaseRewriter`, in any case of letters; one
            of the user's own must have been imported.
        *args: For its constructor.
        **kwargs: Likewise.

    Raises:
        ValueError: if there is no such class.

    Example: `create_rewriter(TFLITE_REWRITER, name="to_tflite")`
    """
    wanted = rewriter_type.lower()
    if wanted in _MODULES:
        importlib.import_module(_MODULES[wanted])
    classes = {one.__name__.lower(): one for one in BaseRewriter.__subclasses__()}
    if wanted not in classes:
        known = [one.__name__ for one in classes.values()]
        raise ValueError(f"Failed to find rewriter: {wanted}{did_you_mean(rewriter_type, known)}")
    return classes[wanted](*args, **kwargs)


def make_rewriter(
    target: str,
    *,
    quantize: str = "none",
    representative_dataset: RepresentativeDataset | None = None,
    signature_key: str | None = None,
    name: str | None = None,
    **options: Any,
) -> BaseRewriter:
    """Makes the rewriter for a target, whose quantization goes by one name.

    Args:
        target: One of `TARGETS`.
        quantize: One of `QUANTIZATIONS`; TensorFlow.js has no `full_integer`.
        representative_dataset: For `full_integer`: a function that gives dicts of arrays by the
            name of the input.
        signature_key: The signature to convert; else `serving_default`, or the only one.
        name: What messages call it; the target if None.
        **options: Further ones of the rewriter, such as TFJSRewriter's `make_environment`.

    Raises:
        ValueError: if the target or the quantization is unknown or not offered.

    Example: `make_rewriter("litert", quantize="float16")`
    """
    if target not in TARGETS:
        raise ValueError(
            f"Unknown target {target!r}{did_you_mean(target, TARGETS)} Expected one of "
            f"{', '.join(TARGETS)}."
        )
    check_quantization(quantize, representative_dataset)
    options = {"signature_key": signature_key, **options}
    name = name or target
    if target == "litert":
        return create_rewriter(
            TFLITE_REWRITER,
            name,
            **_tflite_quantization(quantize),
            representative_dataset=representative_dataset,
            all_signatures=False,
            **options,
        )
    if target == "onnx":
        return create_rewriter(
            ONNX_REWRITER,
            name,
            quantize=quantize,
            representative_dataset=representative_dataset,
            **options,
        )
    return create_rewriter(TFJS_REWRITER, name, quantize=quantize, **options)


def _tflite_quantization(quantize: str) -> dict[str, Any]:
    """A quantization in the terms of TensorFlow's converter."""
    if quantize == "none":
        return {}
    import tensorflow as tf

    options: dict[str, Any] = {"quantization_optimizations": [tf.lite.Optimize.DEFAULT]}
    if quantize == "float16":
        options["quantization_supported_types"] = [tf.float16]
    if quantize == "full_integer":
        options["quantization_enable_full_integer"] = True
    return options
