"""Tensors as JSON, by TensorFlow Serving's rules."""

import base64
import json

import numpy as np
import pytest

from trainwright.serving.errors import RequestError
from trainwright.serving.signatures import TensorSpec
from trainwright.serving.tensor_json import to_array, to_json_values


def spec(kind, shape=(None,)):
    dtype = object if kind == "string" else kind
    return TensorSpec(name="x", tensor="x:0", dtype=np.dtype(dtype), kind=kind, shape=shape)


def b64(content):
    return {"b64": base64.b64encode(content).decode()}


@pytest.mark.parametrize(
    ("values", "kind", "shape", "expected"),
    [
        ([1, 2.5], "float32", (None,), np.array([1, 2.5], np.float32)),
        ([[1, 2], [3, 4]], "int64", (None, 2), np.array([[1, 2], [3, 4]])),
        ([2**63 - 1, -(2**63)], "int64", (None,), np.array([2**63 - 1, -(2**63)])),
        ([True, False], "bool", (None,), np.array([True, False])),
        (["ä", b64(b"\xff\0")], "string", (None,), np.array(["ä".encode(), b"\xff\0"], object)),
        ([[["a"]]], "string", None, np.array([[[b"a"]]], object)),
        (7, "int32", (), np.array(7, np.int32)),
        ([], "float32", (None,), np.zeros(0, np.float32)),
        ([[], []], "float32", (None, 0), np.zeros((2, 0), np.float32)),
    ],
)
def test_nested_lists_become_arrays(values, kind, shape, expected):
    array = to_array(values, spec(kind, shape), "inputs")
    assert array.dtype == expected.dtype
    assert array.shape == expected.shape
    assert array.tolist() == expected.tolist()


def test_nan_and_infinities_are_numbers():
    values = json.loads("[NaN, Infinity, -Infinity]")
    array = to_array(values, spec("float32"), "inputs")
    assert np.isnan(array[0])
    assert array[1:].tolist() == [np.inf, -np.inf]
    assert json.dumps(to_json_values(array, "y")) == "[NaN, Infinity, -Infinity]"


@pytest.mark.parametrize(
    ("values", "kind", "shape", "message"),
    [
        ([[1], [1, 2]], "float32", (None, 2), "ragged: it has lists of 1 and 2 values"),
        ([[1, 2], 3], "float32", (None, 2), r"instances\[1\] is a whole number \(3\) among lists"),
        ([1, [2]], "float32", (None,), r"instances\[1\] is a list"),
        ([1.0], "int64", (None,), r"instances\[0\] is a decimal \(1.0\).*expected a whole number"),
        ([1, "2"], "float32", (None,), r"instances\[1\] is the string '2'"),
        ([True], "float32", (None,), r"is true or false: the model takes float32 as 'x'"),
        ([1], "bool", (None,), "expected true or false"),
        ([None], "float32", (None,), "is null"),
        ([b64(b"a")], "float32", (None,), "base64 is for strings alone"),
        ([3], "string", (None,), r"is a whole number \(3\). Expected a string"),
        ([{"b64": "a"}], "string", (None,), "not valid base64"),
        ([{"b64": "ä"}], "string", (None,), "not valid base64"),
        ([{"b65": "YQ=="}], "string", (None,), "is an object"),
        (["\ud800"], "string", (None,), "half of a surrogate pair"),
        ([300], "int8", (None,), "has 300: the model takes int8 as 'x', expected -128 to 127"),
        ([2**63], "int64", (None,), "expected -9223372036854775808 to 9223372036854775807"),
        ([-1], "uint8", (None,), "expected 0 to 255"),
        ([1e39], "float32", (None,), r"1e\+39: that is too large for float32"),
        ([10**400], "float64", (None,), "too large for float64"),
        ([[1, 2, 3]], "float32", (None, 2), r"shape \(1, 3\): .* shape \(\?, 2\) as 'x'"),
        ([1, 2], "float32", (None, 2), "Put each value into a list of its own"),
        ([[1]], "float32", (None,), "Take away the lists"),
        ([1j], "complex64", (None,), "complex64 .* JSON has no form"),
    ],
)
def test_what_does_not_fit_is_refused_in_words(values, kind, shape, message):
    with pytest.raises(RequestError, match=message):
        to_array(values, spec(kind, shape), "instances")


def test_lists_deeper_than_any_tensor_are_refused():
    values = 1
    for _ in range(500):
        values = [values]
    with pytest.raises(RequestError, match="more than 32 deep"):
        to_array(values, spec("float32", None), "instances")


@pytest.mark.parametrize("count", [3, 100])
def test_floats_are_the_shortest_that_read_back(count):
    array = np.resize(np.array([0.1, 1 / 3, 1e-45], np.float32), count)
    listed = to_json_values(array, "y")
    assert json.dumps(listed[:3]) == "[0.1, 0.33333334, 1e-45]"
    assert np.array(listed, np.float32).tolist() == array.tolist()


def test_outputs_keep_their_types():
    assert to_json_values(np.array([[True]]), "y") == [[True]]
    assert to_json_values(np.array([2**62]), "y") == [2**62]
    assert to_json_values(np.array(0.5, np.float16), "y") == 0.5
    assert to_json_values(np.array([["ä".encode()]], object), "y") == [["ä"]]
    assert to_json_values(np.array([b"\xff"], object), "y_bytes") == [{"b64": "/w=="}]
    with pytest.raises(RequestError, match="output called 'y_bytes': it is sent in base64"):
        to_json_values(np.array([b"\xff"], object), "y")
