"""Prediction logs: answers of a model as TensorFlow Serving's messages, one for each record.

A message is made once for each batch. What differs from record to record is put into it, and it is
serialized: building every message anew would take longer than asking the model. Where records
differ in strings that go in and numbers that come out alone, as of most models, even that is done
once, and the serialized message is cut up instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import tensorflow as tf
from tensorflow_serving.apis import prediction_log_pb2

from trainwright.components.bulk_inferrer.bulk_model import Answer, Rows
from trainwright.components.bulk_inferrer.signatures import (
    CLASSES,
    CLASSIFY,
    PREDICT,
    REGRESSION,
    SCORES,
)

# Puts what belongs to the record of this number into a message.
_Fill = Callable[[int], None]

# Where a TensorProto has its values, by their type; others go through TensorFlow.
_VALUE_FIELDS = {
    "float32": "float_val",
    "float64": "double_val",
    "int32": "int_val",
    "int64": "int64_val",
    "bool": "bool_val",
    "object": "string_val",
}
# Of these types TensorFlow, too, writes several values as one piece of bytes.
_AS_CONTENT = ("float32", "float64", "int32", "int64")


def encode_logs(records: Sequence[bytes], answers: Sequence[Answer]) -> Iterator[bytes]:
    """Yields a serialized `PredictionLog` for each record, the same bytes for the same answers.

    Args:
        records: Serialized tf.Examples, or whatever a signature that predicts takes.
        answers: About all of them, one by each signature.
    """
    log = prediction_log_pb2.PredictionLog()
    if len(answers) == 1 and _differ_in_place(answers[0]):
        yield from _encode_in_place(log, answers[0])
        return
    if len(answers) > 1:
        fills = _fill_multi_inference(log.multi_inference_log, records, answers)
    elif answers[0].signature.method == PREDICT:
        fills = _fill_predict(log.predict_log, answers[0])
    elif answers[0].signature.method == CLASSIFY:
        classified = log.classify_log
        result = classified.response.result.classifications.add()
        fills = [
            _fill_example(classified.request.input, records),
            _fill_classes(result, answers[0].outputs),
        ]
    else:
        regressed = log.regress_log
        result = regressed.response.result.regressions.add()
        fills = [
            _fill_example(regressed.request.input, records),
            _fill_regression(result, answers[0].outputs),
        ]
    for number in range(len(records)):
        for fill in fills:
            fill(number)
        yield log.SerializeToString(deterministic=True)


def _fill_predict(log: Any, answer: Answer) -> list[_Fill]:
    log.request.model_spec.signature_name = answer.signature.name
    log.response.model_spec.signature_name = answer.signature.name
    fills = []
    for tensors, named in (
        (log.request.inputs, answer.inputs),
        (log.response.outputs, answer.outputs),
    ):
        fills += [_fill_tensor(tensors[name], rows) for name, rows in named.items()]
    return fills


def _differ_in_place(answer: Answer) -> bool:
    """Whether a signature predicts from one string, and what it returns always takes as much room.

    Integers do not, one by one: small ones are shorter.
    """
    if answer.signature.method != PREDICT or len(answer.inputs) != 1:
        return False
    (given,) = answer.inputs.values()
    return _holds(given, "object", 1) and all(
        any(_holds(rows, name, 1 if name.startswith("float") else 2) for name in _AS_CONTENT)
        for rows in answer.outputs.values()
    )


def _holds(rows: Rows, dtype: str, least_width: int) -> bool:
    """Whether these are rows of this type, of at least as many values each; of one, if strings."""
    if isinstance(rows, list) or rows.dtype.name != dtype:
        return False
    width = int(np.prod(rows.shape[1:], dtype=np.int64))
    return width == 1 if dtype == "object" else width >= least_width


def _encode_in_place(log: Any, answer: Answer) -> Iterator[bytes]:
    """Yields the messages, of which only one is made for each length of a string."""
    ((name, given),) = answer.inputs.items()
    strings: list[bytes] = np.asarray(given, object).reshape(-1).tolist()
    patterns = np.array([b"a", b"b"], object).reshape(2, *given.shape[1:])  # type: ignore[union-attr]
    alike = {key: _patterns(rows) for key, rows in answer.outputs.items()}
    fill_string, *fill_outputs = _fill_predict(
        log.predict_log, replace(answer, inputs={name: patterns}, outputs=alike)
    )
    for fill in (fill_string, *fill_outputs):
        fill(0)
    _, start = _difference(log, fill_string)
    constant = np.frombuffer(log.SerializeToString(deterministic=True)[start:], np.uint8)
    # What stands after the string, message by message: constants, and numbers in their places.
    ends = np.tile(constant, (len(strings), 1))
    for fill, rows in zip(fill_outputs, answer.outputs.values(), strict=True):
        first, end = _difference(log, fill)
        numbers = np.ascontiguousarray(rows).reshape(len(strings), -1)
        ends[:, first - start : end - start] = numbers.view(np.uint8)
    return _join(log, log.predict_log.request.inputs[name].string_val, strings, ends)


def _join(
    log: Any, field: Any, strings: Sequence[bytes], ends: npt.NDArray[np.uint8]
) -> Iterator[bytes]:
    size, after = ends.shape[1], ends.tobytes()
    # How long the string is is said in several places before it.
    beginnings: dict[int, bytes] = {}
    for number, string in enumerate(strings):
        beginning = beginnings.get(len(string))
        if beginning is None:
            field[0] = string
            whole = log.SerializeToString(deterministic=True)
            beginning = beginnings[len(string)] = whole[: len(whole) - size - len(string)]
        yield beginning + string + after[number * size : (number + 1) * size]


def _patterns(rows: Rows) -> npt.NDArray[Any]:
    """Two rows of the shape and type of these, of which no byte is the same."""
    assert not isinstance(rows, list)
    size = rows[:1].nbytes
    both = np.frombuffer(b"\x00" * size + b"\x41" * size, rows.dtype)
    return both.reshape(2, *rows.shape[1:])


def _difference(log: Any, fill: _Fill) -> tuple[int, int]:
    """Where a message has what a function puts into it: what differs between its two patterns."""
    fill(1)
    other = log.SerializeToString(deterministic=True)
    fill(0)
    one = log.SerializeToString(deterministic=True)
    places = [place for place, pair in enumerate(zip(one, other, strict=True)) if len({*pair}) > 1]
    return places[0], places[-1] + 1


def _fill_multi_inference(
    log: Any, records: Sequence[bytes], answers: Sequence[Answer]
) -> list[_Fill]:
    fills = [_fill_example(log.request.input, records)]
    for answer in answers:
        result = log.response.results.add()
        result.model_spec.signature_name = answer.signature.name
        if answer.signature.method == CLASSIFY:
            classified = result.classification_result.classifications.add()
            fills.append(_fill_classes(classified, answer.outputs))
        else:
            regressed = result.regression_result.regressions.add()
            fills.append(_fill_regression(regressed, answer.outputs))
    return fills


def _fill_example(message: Any, records: Sequence[bytes]) -> _Fill:
    example = message.example_list.examples.add()

    def fill(number: int) -> None:
        example.ParseFromString(records[number])

    return fill


def _fill_classes(message: Any, outputs: Mapping[str, Rows]) -> _Fill:
    labels, scores = outputs.get(CLASSES), outputs.get(SCORES)
    count = np.shape(next(iter(outputs.values())))[1]

    def fill(number: int) -> None:
        message.ClearField("classes")
        for place in range(count):
            made = message.classes.add()
            if labels is not None:
                made.label = label_text(labels[number][place])
            if scores is not None:
                made.score = scores[number][place]

    return fill


def label_text(label: Any) -> str:
    """The text of a class; bytes that are not text are shown as escapes."""
    return label.decode(errors="backslashreplace") if isinstance(label, bytes) else str(label)


def _fill_regression(message: Any, outputs: Mapping[str, Rows]) -> _Fill:
    values = np.reshape(np.asarray(outputs[REGRESSION]), -1).tolist()

    def fill(number: int) -> None:
        message.value = values[number]

    return fill


def _fill_tensor(message: Any, rows: Rows) -> _Fill:
    """Puts a row into a TensorProto, as a batch of one: what `tf.make_tensor_proto` makes of it."""
    if isinstance(rows, list) or rows.dtype.name not in _VALUE_FIELDS:
        return lambda number: message.CopyFrom(tf.make_tensor_proto(rows[number][np.newaxis]))
    message.dtype = tf.as_dtype(rows.dtype).as_datatype_enum
    for size in (1, *rows.shape[1:]):
        message.tensor_shape.dim.add(size=size)
    width = int(np.prod(rows.shape[1:], dtype=np.int64))
    if width > 1 and rows.dtype.name in _AS_CONTENT:
        return _fill_content(message, rows, width)
    values = getattr(message, _VALUE_FIELDS[rows.dtype.name])
    flat = rows.reshape(len(rows), width).tolist()

    def fill(number: int) -> None:
        values[:] = flat[number]

    return fill


def _fill_content(message: Any, rows: npt.NDArray[Any], width: int) -> _Fill:
    content = rows.tobytes()
    size = width * rows.dtype.itemsize

    def fill(number: int) -> None:
        message.tensor_content = content[number * size : (number + 1) * size]

    return fill
