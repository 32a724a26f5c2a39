"""Model batches: labels, predictions and weights from a model's outputs and the features."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from trainwright._errors import TrainwrightError
from trainwright._suggest import did_you_mean
from trainwright.evaluation.batches.features import FeatureColumn, squeeze_rows
from trainwright.evaluation.computation import Floats, ModelBatch

if TYPE_CHECKING:
    from trainwright.proto.tfma import config_pb2

# Outputs that are predictions, in the order of preference where no key is named.
PREDICTION_KEYS = ("scores", "outputs", "predictions", "logistic", "probabilities", "logits")

# Estimators name all classes in the first, and classifiers of one signature in the second.
_ALL_CLASSES = "all_classes"
_CLASSES, _SCORES = "classes", "scores"

Outputs = Mapping[str, npt.NDArray[Any]]


class MissingFeatureError(TrainwrightError, ValueError):
    """A label or weight that the model spec names is not in the examples."""


def make_model_batch(
    spec: config_pb2.ModelSpec,
    output_name: str,
    outputs: Outputs,
    columns: Mapping[str, FeatureColumn],
    size: int,
) -> ModelBatch:
    """What metrics of one output of a model are computed from.

    Args:
        spec: Names the label, the weight and the prediction.
        output_name: Which output; "" if there is one.
        outputs: What the model said.
        columns: Features, those made by preprocessing functions before those of the examples.
        size: How many examples there are.
    """
    chosen, class_names = _choose_output(spec, output_name, outputs)
    predictions = None if chosen is None else squeeze_rows(chosen)
    if predictions is not None and len(predictions) != size:
        raise ValueError(
            f"The model {spec.name or 'to evaluate'} returned {len(predictions)} predictions for "
            f"{size} examples: expected one for each."
        )
    return ModelBatch(
        labels=_labels(spec, output_name, columns, size, class_names, predictions),
        predictions=predictions,
        weights=_weights(spec, output_name, columns, size),
        size=size,
        class_names=class_names,
    )


def _choose_output(
    spec: config_pb2.ModelSpec, output_name: str, outputs: Outputs
) -> tuple[npt.NDArray[Any] | None, tuple[str, ...] | None]:
    if not outputs:
        return None, None
    if output_name:
        outputs = _of_output(output_name, outputs)
    class_names = _class_names(outputs)
    key = spec.prediction_keys.get(output_name) if output_name else None
    key = key or spec.prediction_key
    if key and key in outputs:
        return outputs[key], class_names
    if len(outputs) == 1:
        return next(iter(outputs.values())), class_names
    for known in PREDICTION_KEYS:
        if known in outputs:
            return outputs[known], class_names
    if not output_name and all("/" in name for name in outputs):
        return None, None  # the heads of an Estimator, each an output of its own
    raise ValueError(
        f"The model returns {', '.join(outputs)}, and none of them is known to be the prediction. "
        "Name it as prediction_key of the model spec, or evaluate each with output_names in the "
        "metrics specs."
    )


def _of_output(output_name: str, outputs: Outputs) -> Outputs:
    """One output of several; Estimators name them `head/probabilities`."""
    if output_name in outputs:
        return {output_name: outputs[output_name]}
    prefix = f"{output_name}/"
    inside = {
        name.removeprefix(prefix): value
        for name, value in outputs.items()
        if name.startswith(prefix)
    }
    if not inside:
        raise ValueError(
            f"The metrics specs name the output {output_name!r}, which the model does not have"
            f"{did_you_mean(output_name, outputs)}"
        )
    return inside


def _class_names(outputs: Outputs) -> tuple[str, ...] | None:
    if _ALL_CLASSES in outputs:
        names = outputs[_ALL_CLASSES]
    elif _CLASSES in outputs and _SCORES in outputs:
        names = outputs[_CLASSES]
    else:
        return None
    while names.ndim > 1:
        names = names[0]
    return tuple(
        name.decode(errors="replace") if isinstance(name, bytes) else str(name)
        for name in names.tolist()
    )


def label_keys(spec: config_pb2.ModelSpec) -> set[str]:
    """The features that hold labels and weights."""
    named = (spec.label_key, spec.example_weight_key)
    several = (*spec.label_keys.values(), *spec.example_weight_keys.values())
    return {key for key in (*named, *several) if key}


def _labels(
    spec: config_pb2.ModelSpec,
    output_name: str,
    columns: Mapping[str, FeatureColumn],
    size: int,
    class_names: tuple[str, ...] | None,
    predictions: npt.NDArray[Any] | None,
) -> npt.NDArray[Any] | None:
    key = spec.label_key or spec.label_keys.get(output_name, "")
    if not key:
        return None
    labels = _dense(columns, key, "label", size)
    if labels.dtype != object:
        return labels
    if class_names is None:
        raise ValueError(
            f"The label {key!r} is a string, for example {_shown(labels)}, and the model does not "
            "say which number each string has. Let a function of the model return it as a number "
            "and name that in preprocessing_function_names of the model spec, or use the examples "
            "that Transform made."
        )
    numbers = {name.encode(): number for number, name in enumerate(class_names)}
    ids = np.array([numbers.get(label, -1) for label in labels.ravel()]).reshape(labels.shape)
    if predictions is None or predictions.ndim < 2 or not (ids == -1).any():
        return ids
    # A string that is not a class: no class is right.
    one_hot: Floats = (ids[:, np.newaxis] == np.arange(predictions.shape[1])).astype(np.float64)
    return one_hot


def _weights(
    spec: config_pb2.ModelSpec, output_name: str, columns: Mapping[str, FeatureColumn], size: int
) -> Floats | None:
    key = spec.example_weight_key or spec.example_weight_keys.get(output_name, "")
    if not key:
        return None
    weights = _dense(columns, key, "example weight", size)
    if weights.dtype == object or weights.ndim != 1:
        raise ValueError(
            f"The example weight {key!r} is {_shown(weights)}: expected one number in each example."
        )
    return weights.astype(np.float64)


def _dense(
    columns: Mapping[str, FeatureColumn], key: str, what: str, size: int
) -> npt.NDArray[Any]:
    if key not in columns:
        raise MissingFeatureError(
            f"The {what} {key!r} is not in the examples{did_you_mean(key, columns)}"
        )
    dense = columns[key].to_dense()
    if dense is not None and dense.size:
        return dense
    lengths = columns[key].lengths
    missing = int((lengths == 0).sum())
    if missing:
        raise ValueError(
            f"{missing} of {size} examples have no {what} {key!r}: expected it in all of them. "
            "Leave examples without it out of the split that is evaluated."
        )
    raise ValueError(
        f"The {what} {key!r} has from {lengths.min()} to {lengths.max()} values: expected the same "
        "number in all examples. For examples with several labels, evaluate a vector with 0 or 1 "
        "for each class."
    )


def _shown(values: npt.NDArray[Any]) -> str:
    first = values.ravel()[0]
    return repr(first.decode(errors="replace") if isinstance(first, bytes) else first)
