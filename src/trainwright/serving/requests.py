"""Requests: from the JSON of `:predict`, `:classify` and `:regress` to arrays, and back."""

from __future__ import annotations

import base64
import binascii
import json
import reprlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

import numpy as np
import numpy.typing as npt

from trainwright._suggest import did_you_mean
from trainwright.data.example_messages import example_class
from trainwright.serving.errors import RequestError, cut
from trainwright.serving.served_model import ServedModel
from trainwright.serving.signatures import (
    CLASSIFY_METHOD,
    REGRESS_METHOD,
    Signature,
    TensorSpec,
)
from trainwright.serving.tensor_json import is_base64, to_array, to_json_values

# Outputs as nested lists, by name.
Values = Mapping[str, list[Any]]

_encode = json.JSONEncoder(separators=(",", ":")).encode
_INT64 = np.iinfo(np.int64)
# Cuts at every level: the whole of a hostile value may be very long, or very deep.
_short_repr = reprlib.Repr().repr


@dataclass(frozen=True)
class ModelCall:
    """What a request asks of a model.

    Args:
        signature: Which of its functions.
        arrays: What it is fed.
        rows: How many rows there are; None if the arrays are not rows, but asked as a whole.
        answer: The document that answers, given the outputs of these rows.
    """

    signature: Signature
    arrays: Mapping[str, npt.NDArray[Any]]
    rows: int | None
    answer: Callable[[Values], dict[str, Any]]

    def encode(self, outputs: Values) -> bytes:
        """The body that answers."""
        return _encode(self.answer(outputs)).encode()


def parse_body(body: bytes | bytearray) -> dict[str, Any]:
    """The JSON of a body, an object.

    Raises:
        RequestError: if it is not JSON, or nested too deeply.
    """
    try:
        document = json.loads(body)
    except RecursionError as error:
        raise RequestError(
            "The body has lists or objects nested too deeply to be read. Send tensors."
        ) from error
    except ValueError as error:  # also of what is not UTF-8, and of numbers with too many digits
        begin = bytes(body[:40]).decode("ascii", "backslashreplace")
        raise RequestError(
            f"The body is not JSON: {error}. It begins with {begin!r}; expected an object such as "
            '{"instances": [...]}.'
        ) from error
    if type(document) is not dict:
        raise RequestError(
            f"The body is a JSON {type(document).__name__}: expected an object such as "
            '{"instances": [...]}.'
        )
    return document


def outputs_to_json(outputs: Mapping[str, npt.NDArray[Any]]) -> dict[str, Any]:
    """Outputs as nested lists, by name."""
    return {name: to_json_values(array, name) for name, array in outputs.items()}


def make_call(verb: str, document: dict[str, Any], model: ServedModel) -> ModelCall:
    """What the document of a request asks of a model.

    Raises:
        RequestError: if the model has no such signature, or does not take what is sent.
    """
    name = document.get("signature_name", "")
    if type(name) is not str:
        raise RequestError(f'"signature_name" is {_shown(name)}: expected a string.')
    signature = model.signature(name)
    if verb == "predict":
        return _predict(document, signature)
    return _classify_or_regress(verb, document, signature, model)


def _predict(document: dict[str, Any], signature: Signature) -> ModelCall:
    forms = [key for key in ("instances", "inputs") if key in document]
    if len(forms) != 1:
        found = cut(", ".join(map(repr, document))) or "nothing"
        raise RequestError(
            'Expected either "instances", a list with a value for each row, or "inputs", with all '
            f"rows of each input; the body has {found}."
        )
    if forms == ["inputs"]:
        arrays = _from_columns(document["inputs"], signature)
        return ModelCall(signature, arrays, _count_rows(arrays), _column_answer)
    arrays = _from_rows(document["instances"], signature)
    return ModelCall(signature, arrays, _count_rows(arrays), _row_answer)


def _count_rows(arrays: Mapping[str, npt.NDArray[Any]]) -> int | None:
    sizes = {array.shape[0] if array.ndim else -1 for array in arrays.values()}
    return sizes.pop() if len(sizes) == 1 and -1 not in sizes else None


def _from_rows(instances: Any, signature: Signature) -> dict[str, npt.NDArray[Any]]:
    if type(instances) is not list or not instances:
        raise RequestError(
            f'"instances" is {_shown(instances)}: expected a list with a value for each row.'
        )
    are_named = type(instances[0]) is dict and not is_base64(instances[0])
    if not are_named:
        spec = _only_input(signature, "instances")
        return {spec.name: to_array(instances, spec, "instances")}
    names = signature.inputs.keys()
    for number, instance in enumerate(instances):
        if type(instance) is not dict or instance.keys() != names:
            raise RequestError(_describe_names(instance, signature, f"instances[{number}]"))
    return {
        name: to_array([instance[name] for instance in instances], spec, f"{name!r} of instances")
        for name, spec in signature.inputs.items()
    }


def _from_columns(inputs: Any, signature: Signature) -> dict[str, npt.NDArray[Any]]:
    if type(inputs) is not dict or is_base64(inputs):
        spec = _only_input(signature, "inputs")
        return {spec.name: to_array(inputs, spec, "inputs")}
    if inputs.keys() != signature.inputs.keys():
        raise RequestError(_describe_names(inputs, signature, "inputs"))
    return {
        name: to_array(inputs[name], spec, f"{name!r} of inputs")
        for name, spec in signature.inputs.items()
    }


def _only_input(signature: Signature, where: str) -> TensorSpec:
    if len(signature.inputs) != 1:
        names = ", ".join(f'"{name}": ...' for name in signature.inputs)
        values = f"[{{{names}}}, ...]" if where == "instances" else f"{{{names}}}"
        raise RequestError(
            f'"{where}" has values without names, and the signature {signature.name!r} takes '
            f'{len(signature.inputs)} inputs: expected "{where}": {values}.'
        )
    (spec,) = signature.inputs.values()
    return spec


def _describe_names(given: Any, signature: Signature, where: str) -> str:
    if type(given) is not dict:
        return f"{where} is {_shown(given)}: expected an object with the names of the inputs."
    unknown = [name for name in given if name not in signature.inputs]
    missing = [name for name in signature.inputs if name not in given]
    subject = f"the signature {signature.name!r}"
    if unknown:
        guess = did_you_mean(cut(unknown[0]), signature.inputs)
        return f"{where} has {cut(unknown[0])!r}, which {subject} does not take{guess}"
    names = ", ".join(map(repr, missing))
    return f"{where} has no {names}: {subject} takes {', '.join(map(repr, signature.inputs))}."


def _row_answer(outputs: Values) -> dict[str, Any]:
    if len(outputs) == 1:
        (only,) = outputs.values()
        return {"predictions": only}
    lengths = {len(values) if type(values) is list else -1 for values in outputs.values()}
    if len(lengths) > 1 or -1 in lengths:
        raise RequestError(
            "The outputs have different numbers of rows, so that they cannot be told by instance. "
            'Ask with "inputs" instead of "instances".'
        )
    names = list(outputs)
    rows = zip(*outputs.values(), strict=True)
    return {"predictions": [dict(zip(names, row, strict=True)) for row in rows]}


def _column_answer(outputs: Values) -> dict[str, Any]:
    if len(outputs) == 1:
        (only,) = outputs.values()
        return {"outputs": only}
    return {"outputs": dict(outputs)}


def _classify_or_regress(
    verb: str, document: dict[str, Any], signature: Signature, model: ServedModel
) -> ModelCall:
    method = CLASSIFY_METHOD if verb == "classify" else REGRESS_METHOD
    spec = signature.serialized_input
    if signature.method != method or spec is None:
        others = [name for name, other in model.signatures.items() if other.method == method]
        advice = (
            f'Name one of {", ".join(map(repr, others))} as "signature_name".'
            if others
            else "The model has none: ask it with :predict. Models of Keras and of "
            "tf.saved_model.save have signatures for :predict alone, under TensorFlow Serving, too."
        )
        raise RequestError(
            f"The signature {signature.name!r} is for {signature.method or 'no method'}: "
            f":{verb} needs one for {method}. {advice}"
        )
    serialized = _serialize_examples(document)
    answer = _classify_answer if verb == "classify" else _regress_answer
    return ModelCall(signature, {spec.name: serialized}, len(serialized), answer)


def _classify_answer(outputs: Values) -> dict[str, Any]:
    classes, scores = outputs.get("classes"), outputs.get("scores")
    if classes is None and scores is None:
        raise RequestError(
            "The signature returns neither 'classes' nor 'scores'.", HTTPStatus.BAD_REQUEST
        )
    rows = len(classes if classes is not None else scores or ())
    # What a model does not return is left empty, as TensorFlow Serving does.
    labels = classes if classes is not None else [[""] * len(row) for row in scores or ()]
    numbers = scores if scores is not None else [[0.0] * len(row) for row in labels]
    pairs = (zip(labels[row], numbers[row], strict=True) for row in range(rows))
    return {"results": [[list(pair) for pair in row] for row in pairs]}


def _regress_answer(outputs: Values) -> dict[str, Any]:
    values = outputs.get("outputs")
    if values is None:
        raise RequestError("The signature does not return 'outputs', the values of a regression.")
    return {"results": [row[0] if type(row) is list else row for row in values]}


def _serialize_examples(document: dict[str, Any]) -> npt.NDArray[Any]:
    """The examples of a request, each with the features of the context."""
    examples = document.get("examples")
    if type(examples) is not list or not examples:
        raise RequestError(
            f'"examples" is {_shown(examples)}: expected a list of objects with features, such as '
            '{"examples": [{"age": 3, "name": "ada"}]}.'
        )
    context = document.get("context", {})
    if type(context) is not dict:
        raise RequestError(f'"context" is {_shown(context)}: expected an object with features.')
    array = np.empty(len(examples), object)
    array[:] = [
        _serialize_example(example, context, f"examples[{number}]")
        for number, example in enumerate(examples)
    ]
    return array


def _serialize_example(given: Any, context: Mapping[str, Any], where: str) -> bytes:
    if type(given) is not dict:
        raise RequestError(f"{where} is {_shown(given)}: expected an object with features.")
    example = example_class()()
    for name, value in {**context, **given}.items():
        values = value if type(value) is list else [value]
        _fill_feature(example.features.feature[name], values, f"{cut(name)!r} of {where}")
    serialized: bytes = example.SerializeToString()
    return serialized


def _fill_feature(feature: Any, values: Sequence[Any], where: str) -> None:
    """Whole numbers become int64, numbers with a decimal point floats, strings bytes."""
    kinds = {type(value) for value in values}
    try:
        if kinds <= {int, bool}:
            feature.int64_list.value.extend(int(value) for value in values)
        elif kinds <= {int, float}:
            feature.float_list.value.extend(float(value) for value in values)
        elif kinds <= {str, dict}:
            feature.bytes_list.value.extend(
                base64.b64decode(value["b64"], validate=True)
                if is_base64(value)
                else value.encode()
                for value in values
            )
        else:
            raise TypeError
    except (TypeError, AttributeError, ValueError, OverflowError, binascii.Error) as error:
        raise RequestError(
            f"{where} is {_shown(list(values))}: expected a number, a string or bytes as "
            f'{{"b64": "..."}}, or a list of one of them; whole numbers from {_INT64.min} to '
            f"{_INT64.max}."
        ) from error


def _shown(value: Any) -> str:
    """A value of a request, cut to what fits into a message."""
    if value is None:
        return "missing or null"
    text = _short_repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
