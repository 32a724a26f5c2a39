"""The signatures that a model is asked by, chosen as TFX does and checked before it is loaded."""

from __future__ import annotations

from collections.abc import Mapping

from trainwright._suggest import did_you_mean
from trainwright.evaluation.models.model_formats import format_of_files
from trainwright.evaluation.models.signatures import Signature, read_graphs
from trainwright.proto import bulk_inferrer_pb2, example_gen_pb2

DEFAULT_SIGNATURE = "serving_default"
SERVING_TAG, TPU_TAG = "serve", "tpu"

# What TensorFlow Serving does with a signature, as SavedModels name it.
PREDICT = "tensorflow/serving/predict"
CLASSIFY = "tensorflow/serving/classify"
REGRESS = "tensorflow/serving/regress"
_WORDS = {PREDICT: "predicts", CLASSIFY: "classifies", REGRESS: "regresses"}

# The outputs of a signature that classifies, and the one of a signature that regresses.
CLASSES, SCORES, REGRESSION = "classes", "scores", "outputs"

_ADVICE = (
    "A BulkInferrer asks SavedModels alone: save one with model.export or tf.saved_model.save."
)


def check_model_spec(spec: bulk_inferrer_pb2.ModelSpec) -> None:
    """Refuses what no model can be asked for.

    Raises:
        ValueError: if the graph for a TPU is asked for, or a signature is named twice or not at
            all.
    """
    if TPU_TAG in spec.tag:
        raise ValueError(
            f"model_spec has the tags {', '.join(spec.tag)}: the graph for a TPU cannot be run "
            f"here. Leave tag out for the graph that is served ({SERVING_TAG!r})."
        )
    names = list(spec.model_signature_name)
    if "" in names:
        raise ValueError("model_spec has an empty model_signature_name: expected a name, or none.")
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"model_spec names the signature {twice[0]!r} more than once.")


def choose_signatures(
    path: str, spec: bulk_inferrer_pb2.ModelSpec
) -> tuple[list[str], dict[str, Signature]]:
    """The tags of the graph to load, and the signatures to ask it by, in the order of the spec.

    Without a name in the spec it is `serving_default`. Several must classify or regress: together
    they are what TensorFlow Serving calls a multi-inference.

    Raises:
        FileNotFoundError: if the model is not a SavedModel.
        ValueError: if it has no such graph or signature, or one that cannot be asked.
    """
    tags, available = _choose_graph(path, spec)
    names = list(spec.model_signature_name) or [DEFAULT_SIGNATURE]
    for name in names:
        if name not in available:
            raise ValueError(
                f"The model at {path} has no signature {name!r}"
                f"{did_you_mean(name, list(available))} Name one of them "
                "as model_signature_name of the model_spec."
            )
        _check_signature(path, name, available[name])
    chosen = {name: available[name] for name in names}
    if len(names) > 1:
        predicting = [name for name in names if chosen[name].method == PREDICT]
        if predicting:
            raise ValueError(
                f"The model at {path} is asked by several signatures, and {predicting[0]!r} "
                "predicts: expected signatures that classify or regress, which only models of "
                "Estimators have. Ask by one signature, or let one signature return all outputs."
            )
    return tags, chosen


def _choose_graph(
    path: str, spec: bulk_inferrer_pb2.ModelSpec
) -> tuple[list[str], Mapping[str, Signature]]:
    found = format_of_files(path)
    advice = f"That is {found.name}. {_ADVICE}" if found else _ADVICE
    graphs = read_graphs(path, advice)
    tags = list(spec.tag) or [SERVING_TAG]
    if not spec.tag and len(graphs) == 1:
        tags = sorted(next(iter(graphs)))
    if frozenset(tags) not in graphs:
        there = "; ".join(", ".join(sorted(one)) or "none" for one in graphs) or "none at all"
        raise ValueError(
            f"The model at {path} has no graph with the tags {', '.join(tags)}. The tags of its "
            f"graphs: {there}. Name those of one of them as tag of the model_spec."
        )
    return tags, graphs[frozenset(tags)]


def _check_signature(path: str, name: str, signature: Signature) -> None:
    asked = f"The signature {name!r} of the model at {path}"
    if signature.method not in _WORDS:
        raise ValueError(
            f"{asked} has the method {signature.method or 'none'!r}: expected one of "
            f"{', '.join(_WORDS)}."
        )
    outputs = list(signature.outputs)
    if signature.method == CLASSIFY:
        is_usable = bool(outputs) and set(outputs) <= {CLASSES, SCORES}
        expected = f"{CLASSES}, {SCORES} or both"
    elif signature.method == REGRESS:
        is_usable, expected = outputs == [REGRESSION], REGRESSION
    else:
        is_usable, expected = bool(outputs), "at least one"
    if not is_usable:
        raise ValueError(
            f"{asked} {_WORDS[signature.method]}, and its outputs are "
            f"{', '.join(outputs) or 'none'}: expected {expected}."
        )


def shown_method(method: str) -> str:
    """What a signature does, as a verb.

    >>> shown_method("tensorflow/serving/regress")
    'regresses'
    """
    return _WORDS[method]


def check_records(
    record_format: int, signatures: Mapping[str, Signature], *, is_merged: bool
) -> None:
    """Refuses records of a format that the answers cannot be written with.

    Args:
        record_format: The payload format of the records.
        signatures: Those that the model is asked by.
        is_merged: Whether output examples are written.

    Raises:
        ValueError: naming the format.
    """
    name = example_gen_pb2.PayloadFormat.Name(record_format)
    is_example = record_format == example_gen_pb2.FORMAT_TF_EXAMPLE
    for key, signature in signatures.items():
        if signature.method != PREDICT and not is_example:
            raise ValueError(
                f"The signature {key!r} {shown_method(signature.method)}, and logs of that hold "
                f"tf.Examples, but the examples are in {name}: expected tf.Examples or Parquet, or "
                "a signature that predicts."
            )
    if is_merged and record_format == example_gen_pb2.FORMAT_PROTO:
        raise ValueError(
            f"The examples are in {name}, records of a format of their own, to which no features "
            "can be added. Leave output_example_spec out for prediction logs."
        )
