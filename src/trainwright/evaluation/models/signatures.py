"""The signatures of a SavedModel, read without loading it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from trainwright.evaluation.models.model_formats import format_of_files
from trainwright.evaluation.models.saved_model import DEFAULT_SIGNATURES

if TYPE_CHECKING:
    from trainwright.proto.tfma import config_pb2


_EVALUATOR_ADVICE = (
    "Save one with tf.saved_model.save or model.export, or let custom_eval_shared_model of the "
    "Evaluator's module file load the model."
)


@dataclass(frozen=True)
class Signature:
    """What a function of a SavedModel takes and returns: types by name.

    Args:
        inputs: The types of what it takes.
        outputs: The types of what it returns.
        method: What a server makes of it, such as `tensorflow/serving/predict`.
        shapes: Of the outputs; None for a size that is left open, or for all of a shape.
    """

    inputs: Mapping[str, str]
    outputs: Mapping[str, str]
    method: str = field(default="", compare=False)
    shapes: Mapping[str, tuple[int | None, ...] | None] = field(default_factory=dict, compare=False)

    def __str__(self) -> str:
        return f"({_listed(self.inputs)}) -> ({_listed(self.outputs)})"


def read_signatures(path: str) -> dict[str, Signature]:
    """The signatures by name.

    Raises:
        FileNotFoundError: if there is no SavedModel.
        ValueError: if it is damaged.
    """
    found = format_of_files(path)
    advice = (
        f"That is {found.name}: say model_type={found.model_type!r} in its model spec, or no "
        "model_type."
        if found
        else _EVALUATOR_ADVICE
    )
    return {
        name: signature
        for signatures in read_graphs(path, advice).values()
        for name, signature in signatures.items()
    }


def read_graphs(path: str, advice: str) -> dict[frozenset[str], dict[str, Signature]]:
    """The signatures of each graph of a SavedModel, by its tags.

    Args:
        path: The directory of the model.
        advice: What to do where there is none, a sentence.

    Raises:
        FileNotFoundError: if there is no SavedModel.
        ValueError: if it is damaged.
    """
    from google.protobuf.message import DecodeError
    from tensorflow.core.protobuf import saved_model_pb2

    file = os.path.join(path, "saved_model.pb")
    if not os.path.exists(file):
        found = sorted(os.listdir(path)) if os.path.isdir(path) else []
        raise FileNotFoundError(
            f"There is no SavedModel at {path}: expected saved_model.pb, found "
            f"{', '.join(found) or 'nothing'}. {advice}"
        )
    with open(file, "rb") as opened:
        content = opened.read()
    try:
        model = saved_model_pb2.SavedModel.FromString(content)
    except DecodeError as error:
        raise ValueError(
            f"{file} is damaged: it does not parse as a SavedModel ({len(content):,} bytes were "
            "read). Save the model again."
        ) from error
    return {
        frozenset(graph.meta_info_def.tags): {
            name: _read_signature(definition)
            for name, definition in graph.signature_def.items()
            if not name.startswith("__")
        }
        for graph in model.meta_graphs
    }


def _read_signature(definition: Any) -> Signature:
    return Signature(
        _types(definition.inputs),
        _types(definition.outputs),
        definition.method_name,
        {name: _shape(info.tensor_shape) for name, info in definition.outputs.items()},
    )


def _shape(shape: Any) -> tuple[int | None, ...] | None:
    if shape.unknown_rank:
        return None
    return tuple(None if dimension.size < 0 else dimension.size for dimension in shape.dim)


def check_same_signature(
    candidate: str,
    baseline: str,
    candidate_spec: config_pb2.ModelSpec,
    baseline_spec: config_pb2.ModelSpec,
) -> None:
    """Refuses to compare models that take or return other things.

    Raises:
        ValueError: which says what each takes and returns.
    """
    first = _used(read_signatures(candidate), candidate_spec)
    second = _used(read_signatures(baseline), baseline_spec)
    if first is None or second is None or first == second:
        return  # a signature that is not there is said when the model is loaded
    chooses = all(spec.prediction_key for spec in (candidate_spec, baseline_spec))
    if chooses and first.inputs == second.inputs:
        return
    raise ValueError(
        "The baseline has another signature than the candidate, so that they cannot be compared.\n"
        f"  candidate {candidate}: {first}\n"
        f"  baseline  {baseline}: {second}\n"
        "Leave baseline_model out of the Evaluator for one run, so that a model with the new "
        "signature is blessed; or name the prediction of both as prediction_key in two model specs."
    )


def _used(signatures: Mapping[str, Signature], spec: config_pb2.ModelSpec) -> Signature | None:
    names = (spec.signature_name,) if spec.signature_name else DEFAULT_SIGNATURES
    return next((signatures[name] for name in names if name in signatures), None)


def _types(tensors: Mapping[str, object]) -> dict[str, str]:
    from tensorflow.core.framework import types_pb2

    return {
        name: types_pb2.DataType.Name(info.dtype).removeprefix("DT_").lower()  # type: ignore[attr-defined]
        for name, info in sorted(tensors.items())
    }


def _listed(types: Mapping[str, str]) -> str:
    return ", ".join(f"{name}: {kind}" for name, kind in types.items())
