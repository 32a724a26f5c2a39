"""Rewriting one model to one target, with the comparison that decides whether it may be used."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from typing import Any

from trainwright.components.rewriter.targets import RewriteTarget
from trainwright.components.trainer.rewriting.converters import rewrite_saved_model
from trainwright.components.trainer.rewriting.rewriter import ModelType
from trainwright.components.trainer.rewriting.rewriter_factory import make_rewriter
from trainwright.components.trainer.rewriting.saved_model_signatures import (
    choose_signature,
    read_signatures,
)
from trainwright.evaluation.batches.features import FeatureReader
from trainwright.evaluation.models.evaluated_model import (
    LITERT_MODEL,
    ONNX_MODEL,
    TFJS_MODEL,
    ModelSource,
)
from trainwright.evaluation.models.feeding import feature_of, find_column, to_rows
from trainwright.evaluation.models.parity import compare_models

_MODEL_TYPES = {
    "litert": ModelType.TFLITE_MODEL,
    "onnx": ModelType.ONNX_MODEL,
    "tfjs": ModelType.TFJS_MODEL,
}
# What runs a model of each form here.
_FACTORIES = {"litert": LITERT_MODEL, "onnx": ONNX_MODEL, "tfjs": TFJS_MODEL}

_NOT_COMPARED = "Not compared with its source, because its target says compare=False."


def rewrite(
    source: str,
    destination: str,
    target: RewriteTarget,
    records: Sequence[bytes],
    signature_name: str = "",
    **options: Any,
) -> None:
    """Writes a SavedModel in another form.

    Args:
        source: The directory of the SavedModel.
        destination: Where the result goes.
        target: What to write.
        records: Serialized tf.Examples, which a model in integers is calibrated with.
        signature_name: The signature to convert; the default one if empty.
        **options: More arguments of the rewriter, such as `python` for TF.js.

    Raises:
        ValueError: if the model cannot be converted; the message says why.
    """
    dataset = None
    if target.quantize == "full_integer":
        dataset = functools.partial(_batches, source, list(records), signature_name)
    if target.to == "tfjs":
        options["make_environment"] = target.make_environment
    rewriter = make_rewriter(
        target.to,
        quantize=target.quantize,
        representative_dataset=dataset,
        signature_key=signature_name or None,
        name=target.key,
        **options,
    )
    rewrite_saved_model(source, destination, rewriter, _MODEL_TYPES[target.to])


def compare_with_source(
    source: str,
    destination: str,
    target: RewriteTarget,
    records: Sequence[bytes],
    signature_name: str = "",
) -> dict[str, Any]:
    """How a rewritten model compares with its source, as JSON; a remark if that is left out.

    Raises:
        ValueError: if there are no examples, or the outputs are not the same ones.
    """
    if not target.compare:
        return {"remark": _NOT_COMPARED}
    report = compare_models(
        ModelSource(source),
        ModelSource(destination, _FACTORIES[target.to]),
        records,
        target.tolerance,
        signature_name=signature_name,
    )
    return report.to_json()


def _batches(source: str, records: list[bytes], signature_name: str) -> Iterator[dict[str, Any]]:
    """The inputs of a signature for one example after the other."""
    import tensorflow as tf

    signature = choose_signature(read_signatures(source), signature_name or None, source)
    serialized = tf.constant(records, tf.string)
    wanted = {feature_of(name, [name]) or name for name in signature.inputs}
    columns = FeatureReader(wanted).read(records, serialized)
    asked = f"The signature {signature.key!r} of the model at {source}"
    inputs = {
        name: to_rows(
            name,
            find_column(name, columns, asked),
            tensor.shape,
            asked,
            "Calibrate with examples that have the same number of values.",
        ).astype(tensor.dtype)
        for name, tensor in signature.inputs.items()
    }
    for row in range(len(records)):
        yield {name: values[row : row + 1] for name, values in inputs.items()}
