"""Predictions to examples one at a time, as TFX's library does it; a BulkInferrer does many."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from trainwright.components.bulk_inferrer.output_columns import OutputColumn, read_columns
from trainwright.components.bulk_inferrer.signatures import (
    CLASSES,
    CLASSIFY,
    DEFAULT_SIGNATURE,
    PREDICT,
    REGRESS,
    SCORES,
)
from trainwright.proto import bulk_inferrer_pb2


def convert(prediction_log: Any, output_example_spec: bulk_inferrer_pb2.OutputExampleSpec) -> Any:
    """The example that was asked about, with what the model said of it.

    Args:
        prediction_log: TensorFlow Serving's `PredictionLog` of one example.
        output_example_spec: What of it becomes which feature.

    Raises:
        ValueError: if the spec does not fit the log, or a feature is there already.
    """
    import tensorflow as tf

    kind = prediction_log.WhichOneof("log_type")
    if kind == "multi_inference_log":
        log = prediction_log.multi_inference_log
        results = {one.model_spec.signature_name: one for one in log.response.results}
        columns = read_columns(output_example_spec, list(results))
        example = log.request.input.example_list.examples[0]
        found = {one: _of_result(one, results[one.signature]) for one in columns}
    elif kind == "predict_log":
        columns = _only(output_example_spec, PREDICT)
        (given,) = prediction_log.predict_log.request.inputs.values()
        example = tf.train.Example.FromString(given.string_val[0])
        outputs = prediction_log.predict_log.response.outputs
        found = {one: _values(one, outputs) for one in columns}
    elif kind in ("classify_log", "regress_log"):
        columns = _only(output_example_spec, CLASSIFY if kind == "classify_log" else REGRESS)
        log = getattr(prediction_log, kind)
        example = log.request.input.example_list.examples[0]
        found = {one: _of_inference(one, log.response.result) for one in columns}
    else:
        raise ValueError(f"A prediction_log has {kind or 'nothing'}: expected a log of inference.")
    return _with_columns(example, found)


def _only(spec: bulk_inferrer_pb2.OutputExampleSpec, method: str) -> list[OutputColumn]:
    columns = read_columns(spec, [spec.output_columns_spec[0].signature_name or DEFAULT_SIGNATURE])
    if any(column.method != method for column in columns):
        raise ValueError(
            f"output_example_spec is for {columns[0].method}, and the log is of {method}: {spec}"
        )
    return columns


def _of_result(column: OutputColumn, result: Any) -> list[Any]:
    kind = "classification_result" if column.method == CLASSIFY else "regression_result"
    if not result.HasField(kind):
        raise ValueError(
            f"The result of {column.signature!r} has no {kind}, from which the column "
            f"{column.column!r} would be made: {result}"
        )
    return _of_inference(column, getattr(result, kind))


def _of_inference(column: OutputColumn, result: Any) -> list[Any]:
    if column.method == REGRESS:
        return [result.regressions[0].value]
    name = {CLASSES: "label", SCORES: "score"}[column.output]
    return [getattr(one, name) for one in result.classifications[0].classes]


def _values(column: OutputColumn, outputs: Any) -> list[Any]:
    import tensorflow as tf

    if column.output not in outputs:
        raise ValueError(
            f"The prediction has no {column.output!r}, from which the column {column.column!r} "
            f"would be made. It has {', '.join(sorted(outputs)) or 'nothing'}."
        )
    values = np.squeeze(tf.make_ndarray(outputs[column.output]))
    if values.ndim > 1:
        raise ValueError(
            "All output values must be convertible to 1D arrays, but "
            f"{column.output} was not. value was {values}."
        )
    listed: list[Any] = np.atleast_1d(values).tolist()
    return listed


def _with_columns(example: Any, columns: Mapping[OutputColumn, Sequence[Any]]) -> Any:
    made = type(example)()
    made.CopyFrom(example)
    features = made.features.feature
    for column, values in columns.items():
        if column.column in features:
            raise ValueError(f"column name {column.column} already exists in example: {example}")
        first = values[0] if values else 0.0
        if isinstance(first, (str, bytes)):
            encoded = [one.encode() if isinstance(one, str) else one for one in values]
            features[column.column].bytes_list.value.extend(encoded)
        elif isinstance(first, int):
            features[column.column].int64_list.value.extend(values)
        else:
            features[column.column].float_list.value.extend(values)
    return made
