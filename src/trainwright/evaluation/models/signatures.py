"""The signatures of a SavedModel, read without loading it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from trainwright.evaluation.models.model_formats import format_of_files
from trainwright.evaluation.models.saved_model import DEFAULT_SIGNATURES

if TYPE_CHECKING:
    from trainwright.proto.tfma import config_pb2


@dataclass(frozen=True)
class Signature:
    """What a function of a SavedModel takes and returns: types by name."""

    inputs: Mapping[str, str]
    outputs: Mapping[str, str]

    def __str__(self) -> str:
        return f"({_listed(self.inputs)}) -> ({_listed(self.outputs)})"


def read_signatures(path: str) -> dict[str, Signature]:
    """The signatures by name.

    Raises:
        FileNotFoundError: if there is no SavedModel.
    """
    from tensorflow.core.protobuf import saved_model_pb2

    file = os.path.join(path, "saved_model.pb")
    if not os.path.exists(file):
        found = sorted(os.listdir(path)) if os.path.isdir(path) else []
        other = format_of_files(path)
        advice = (
            f"That is {other.name}: say model_type={other.model_type!r} in its model spec, or no "
            "model_type."
            if other
            else "Save one with tf.saved_model.save or model.export, or let "
            "custom_eval_shared_model of the Evaluator's module file load the model."
        )
        raise FileNotFoundError(
            f"There is no SavedModel at {path}: expected saved_model.pb, found "
            f"{', '.join(found) or 'nothing'}. {advice}"
        )
    with open(file, "rb") as opened:
        model = saved_model_pb2.SavedModel.FromString(opened.read())
    return {
        name: Signature(_types(definition.inputs), _types(definition.outputs))
        for graph in model.meta_graphs
        for name, definition in graph.signature_def.items()
        if not name.startswith("__")
    }


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
