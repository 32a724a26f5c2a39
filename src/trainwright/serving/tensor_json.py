"""Tensors as JSON, by TensorFlow Serving's rules: nested lists, and bytes as `{"b64": ...}`."""

from __future__ import annotations

import base64
import binascii
import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from trainwright.serving.errors import RequestError
from trainwright.serving.signatures import TensorSpec, describe_shape

# NumPy has no arrays of more dimensions in all its versions.
_MOST_DIMENSIONS = 32
# An output with this ending has bytes that need not be UTF-8.
_BYTES_SUFFIX = "_bytes"
# Up to this many values, a loop is quicker than Arrow's start.
_FEW_VALUES = 12
_JSON_NAMES = {
    bool: "true or false",
    dict: "an object",
    float: "a decimal",
    int: "a whole number",
    list: "a list",
    str: "a string",
    type(None): "null",
}


def is_base64(value: Any) -> bool:
    """Whether a value is the JSON of bytes, `{"b64": "..."}`."""
    return type(value) is dict and len(value) == 1 and type(value.get("b64")) is str


def to_array(values: Any, spec: TensorSpec, where: str) -> npt.NDArray[Any]:
    """The array of nested lists for an input.

    Args:
        values: As the JSON has them.
        spec: Of the input.
        where: Which part of the request this is, for errors.

    Raises:
        RequestError: if lists are ragged, a value has another type, or the shape does not fit.
    """
    flat, shape = _flatten(values, where)
    array = _convert(flat, shape, spec, where).reshape(shape)
    if not spec.admits(shape):
        raise RequestError(
            f"{where} has the shape {describe_shape(shape)}: the model takes {spec.kind} of shape "
            f"{describe_shape(spec.shape)} as {spec.name!r}. {_shape_advice(spec, shape)}"
        )
    return array


def _shape_advice(spec: TensorSpec, shape: tuple[int, ...]) -> str:
    expected = spec.shape or ()
    if len(shape) < len(expected):
        return "Put each value into a list of its own for each dimension that is missing."
    if len(shape) > len(expected):
        return "Take away the lists of the dimensions that are too many."
    return "Send as many values as the model was made for."


def _flatten(values: Any, where: str) -> tuple[list[Any], tuple[int, ...]]:
    """All values in one list, level by level, with the shape of the lists around them."""
    shape: list[int] = []
    flat = [values]
    while flat and type(flat[0]) is list:
        lengths = {len(item) if type(item) is list else -1 for item in flat}
        if len(lengths) > 1:
            raise RequestError(_describe_ragged(flat, lengths, shape, where))
        shape.append(lengths.pop())
        if len(shape) > _MOST_DIMENSIONS:
            raise RequestError(
                f"{where} has lists in lists, more than {_MOST_DIMENSIONS} deep. Send a tensor."
            )
        flat = list(itertools.chain.from_iterable(flat))
    return flat, tuple(shape)


def _describe_ragged(flat: list[Any], lengths: set[int], shape: list[int], where: str) -> str:
    if -1 in lengths:
        index = next(number for number, item in enumerate(flat) if type(item) is not list)
        return (
            f"{where}{_position(index, shape)} is {_json_name(flat[index])} among lists. Expected "
            "lists of the same length everywhere, because a tensor is rectangular."
        )
    shown = " and ".join(str(length) for length in sorted(lengths)[:3])
    return (
        f"{where} is ragged: it has lists of {shown} values at the same level. Expected lists of "
        "the same length, because a tensor is rectangular. Fill up the shorter ones."
    )


def _convert(
    flat: list[Any], shape: tuple[int, ...], spec: TensorSpec, where: str
) -> npt.NDArray[Any]:
    types = set(map(type, flat))
    dtype = np.dtype(spec.dtype)
    if spec.is_string:
        return _to_strings(flat, shape, types, where)
    if dtype.kind == "b":
        _check_types(flat, shape, types, {bool}, spec, where)
        return np.array(flat, bool)
    if dtype.kind in "iu":
        _check_types(flat, shape, types, {int}, spec, where)
        return _to_integers(flat, dtype, spec, where)
    if dtype.kind in "fV":  # bfloat16 is V
        _check_types(flat, shape, types, {float, int}, spec, where)
        return _to_floats(flat, dtype, spec, where)
    raise RequestError(
        f"The model takes {spec.kind} as {spec.name!r}, which JSON has no form for. Ask a "
        "signature that takes numbers, strings or booleans."
    )


def _check_types(
    flat: list[Any],
    shape: tuple[int, ...],
    found: set[type],
    allowed: set[type],
    spec: TensorSpec,
    where: str,
) -> None:
    if found <= allowed:
        return
    index = next(number for number, value in enumerate(flat) if type(value) not in allowed)
    names = " or ".join(sorted(_JSON_NAMES[kind] for kind in allowed))
    advice = ""
    if list in found:
        advice = " Expected lists of the same length everywhere."
    elif is_base64(flat[index]):
        advice = " base64 is for strings alone."
    raise RequestError(
        f"{where}{_position(index, shape)} is {_json_name(flat[index])}: the model takes "
        f"{spec.kind} as {spec.name!r}, expected {names}.{advice}"
    )


def _to_integers(
    flat: list[int], dtype: np.dtype[Any], spec: TensorSpec, where: str
) -> npt.NDArray[Any]:
    limits = np.iinfo(dtype)
    beyond = [value for value in flat if not limits.min <= value <= limits.max]
    if beyond:
        raise RequestError(
            f"{where} has {_short(str(beyond[0]))}: the model takes {spec.kind} as {spec.name!r}, "
            f"expected {limits.min} to {limits.max}."
        )
    return np.array(flat, dtype)


def _to_floats(
    flat: list[float], dtype: np.dtype[Any], spec: TensorSpec, where: str
) -> npt.NDArray[Any]:
    try:
        exact = np.array(flat, np.float64)
    except OverflowError:
        exact = np.array([_to_float(value) for value in flat])
    with np.errstate(over="ignore"):
        array = exact.astype(dtype)
    if np.isfinite(array).all():
        return array
    too_large = np.isinf(array.astype(np.float64)) & np.isfinite(exact)
    # Whole numbers beyond the range of a double have no exact form to compare with.
    too_large |= np.isinf(exact) & np.array([type(value) is int for value in flat], bool)
    if too_large.any():
        value = flat[int(np.flatnonzero(too_large)[0])]
        raise RequestError(
            f"{where} has {_short(str(value))}: that is too large for {spec.kind}, which the model "
            f"takes as {spec.name!r}. Write Infinity if that is meant."
        )
    return array


def _to_float(value: float) -> float:
    try:
        return float(value)
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


def _to_strings(
    flat: list[Any], shape: tuple[int, ...], types: set[type], where: str
) -> npt.NDArray[Any]:
    array = np.empty(len(flat), object)
    try:
        if types == {dict}:  # as images and serialized examples are sent
            array[:] = [_from_base64(value) for value in flat]
        else:
            array[:] = [
                value.encode() if type(value) is str else _from_base64(value) for value in flat
            ]
    except (TypeError, ValueError) as error:
        index, problem = _find_bad_string(flat)
        raise RequestError(
            f"{where}{_position(index, shape)} is {problem}. Expected a string of Unicode, or "
            'bytes as {"b64": "..."} in base64.'
        ) from error
    return array


def _from_base64(value: Any) -> bytes:
    if not is_base64(value):
        raise TypeError
    return base64.b64decode(value["b64"], validate=True)


def _find_bad_string(flat: Sequence[Any]) -> tuple[int, str]:
    for index, value in enumerate(flat):
        if is_base64(value):
            try:
                base64.b64decode(value["b64"], validate=True)
            except (binascii.Error, ValueError):
                return index, "not valid base64"
        elif type(value) is not str:
            return index, _json_name(value)
        else:
            try:
                value.encode()
            except UnicodeEncodeError:
                return index, "not valid Unicode: it has half of a surrogate pair"
    raise AssertionError("one of the strings was refused")


def to_json_values(array: npt.NDArray[Any], name: str) -> list[Any]:
    """An output as nested lists of what JSON has; NaN and infinities stay numbers.

    Floats are the shortest that read back as the same float of their size: 0.1, not
    0.10000000149011612.

    Raises:
        RequestError: if strings are not UTF-8 and the name does not say that they are bytes.
    """
    if array.dtype.kind == "O":
        return _strings_to_json(array, name)
    if array.dtype.kind == "V" or array.dtype == np.float16:
        array = array.astype(np.float32)
    if array.dtype == np.float32:
        array = _shortest_doubles(array)
    listed: list[Any] = array.tolist()
    return listed


def _shortest_doubles(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    if array.size <= _FEW_VALUES:
        doubles = np.array([float(str(value)) for value in array.ravel()])
    else:
        strings = pa.array(array.ravel()).cast(pa.string())
        doubles = strings.cast(pa.float64()).to_numpy(zero_copy_only=False)
    return doubles.reshape(array.shape)


def _strings_to_json(array: npt.NDArray[Any], name: str) -> list[Any]:
    flat = array.ravel()
    made = np.empty(len(flat), object)
    if name.endswith(_BYTES_SUFFIX):
        made[:] = [{"b64": base64.b64encode(_bytes(value)).decode("ascii")} for value in flat]
    else:
        try:
            made[:] = [_bytes(value).decode() for value in flat]
        except UnicodeDecodeError as error:
            raise RequestError(
                f"The output {name!r} has bytes that are not UTF-8, so that JSON cannot hold them. "
                f"Save the model with an output called {name + _BYTES_SUFFIX!r}: it is sent in "
                "base64."
            ) from error
    listed: list[Any] = made.reshape(array.shape).tolist()
    return listed


def _bytes(value: Any) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode()


def _position(index: int, shape: Sequence[int]) -> str:
    """Where a value is in nested lists, such as `[3][0]`."""
    if not shape:
        return ""
    return "".join(f"[{place}]" for place in np.unravel_index(index, tuple(shape)))


def _json_name(value: Any) -> str:
    if is_base64(value):
        return "base64"
    name = _JSON_NAMES[type(value)]
    if type(value) in (float, int):
        return f"{name} ({_short(str(value))})"
    return f"the string {_short(repr(value))}" if type(value) is str else name


def _short(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:37]}..."
