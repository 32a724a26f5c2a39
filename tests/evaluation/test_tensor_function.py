"""TensorFunction: how a function of arrays is fed from the features of examples."""

from __future__ import annotations

import numpy as np
import pytest

from trainwright.evaluation.batches.features import FeatureColumn
from trainwright.evaluation.models.tensor_function import TensorFunction, TensorInput


def column(*rows):
    """A feature with a list of values for each example."""
    values = [value for row in rows for value in row]
    dtype = object if values and isinstance(values[0], bytes) else None
    return FeatureColumn(np.array(values, dtype), np.cumsum([0, *map(len, rows)]))


class Recorder:
    """Returns the sum of each row of `x`, and notes what it was given."""

    def __init__(self, output=lambda given: given["x"].reshape(len(given["x"]), -1).sum(axis=1)):
        self.output = output
        self.given = []

    def __call__(self, given):
        self.given.append(given)
        return {"sum": self.output(given), "classes": np.array(["a", "b", "c"])}


def function(call, *inputs):
    return TensorFunction("The model", [TensorInput(*each) for each in inputs], call)


@pytest.mark.parametrize(
    "name", ["x", "x_input", "x:0", "serving_default_x:0", "serving_default_x_input:0"]
)
def test_an_input_finds_its_feature_whatever_converters_have_added(name):
    call = Recorder(lambda given: given[name][:, 0])
    asked = function(call, (name, "float32", (None, 1)))
    assert asked.features_needed(["x", "y"]) == {"x"}
    found = asked.ask({"x": column([1], [2]), "y": column([3], [4])})
    assert found["sum"].tolist() == [1.0, 2.0]
    assert call.given[0][name].dtype == np.float32


def test_a_feature_of_the_inputs_own_name_comes_first():
    asked = function(Recorder(), ("x_input", "float32", (None,)))
    assert asked.features_needed(["x", "x_input"]) == {"x_input"}
    assert asked.features_needed(["y"]) == {"x_input"}


def test_rows_get_the_shape_of_the_input():
    call = Recorder()
    asked = function(call, ("x", "float32", (None, 2, None)))
    asked.ask({"x": column([1, 2, 3, 4], [5, 6, 7, 8])})
    assert call.given[0]["x"].tolist() == [[[1, 2], [3, 4]], [[5, 6], [7, 8]]]


def test_a_fixed_batch_is_asked_in_pieces_and_the_last_is_filled_up():
    call = Recorder()
    asked = function(call, ("x", "float32", (2, 1)))
    found = asked.ask({"x": column([1], [2], [3], [4], [5])})
    assert found["sum"].tolist() == [1, 2, 3, 4, 5]
    assert [given["x"].tolist() for given in call.given] == [[[1], [2]], [[3], [4]], [[5], [5]]]
    # It has three rows for two examples: the same for all.
    assert found["classes"].tolist() == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("shape", "output"),
    [
        ((1, 2), lambda given: given["x"].sum()),
        ((1, 2), lambda given: given["x"].sum(axis=1)),
        ((1, 2), lambda given: given["x"].sum(axis=1, keepdims=True)),
    ],
)
def test_an_example_at_a_time_may_come_without_a_batch(shape, output):
    found = function(Recorder(output), ("x", "float32", shape)).ask({"x": column([1, 2], [3, 4])})
    assert found["sum"].ravel().tolist() == [3, 7]
    assert len(found["sum"]) == 2


def test_a_row_without_a_batch_stays_whole():
    asked = function(Recorder(lambda given: given["x"][0]), ("x", "float32", (1, 3)))
    found = asked.ask({"x": column([1, 2, 3], [4, 5, 6])})
    assert found["sum"].tolist() == [[1, 2, 3], [4, 5, 6]]


def test_a_scalar_is_asked_example_by_example():
    asked = function(Recorder(lambda given: given["x"] * 2), ("x", "int32", ()))
    assert asked.ask({"x": column([1], [2])})["sum"].tolist() == [2, 4]


def test_strings_are_fed_as_they_are():
    asked = function(Recorder(lambda given: given["x"] == b"a"), ("x", object, (None,)))
    assert asked.ask({"x": column([b"a"], [b"b"])})["sum"].tolist() == [True, False]


@pytest.mark.parametrize(
    ("inputs", "columns", "message"),
    [
        (
            [("x", "float32", (None, 1))],
            {"xx": column([1])},
            "The model takes 'x', which the examples do not have; did you mean 'xx'",
        ),
        (
            [("x", "float32", (None, 1))],
            {"x": column([1], [])},
            "takes a dense 'x', but examples have from 0 to 1 values of it. Evaluate examples",
        ),
        (
            [("x", "float32", (None, 2, 2))],
            {"x": column([1, 2, 3])},
            r"takes 'x' in the shape \(2, 2\) for each example, but examples have 3 values",
        ),
        (
            [("x", "float32", (None, None, None, 3))],
            {"x": column([1, 2, 3])},
            r"in the shape \(\?, \?, 3\)",
        ),
        (
            [("x", "float32", (None,))],
            {"x": column([b"one"])},
            "takes numbers as 'x', but the examples have strings there",
        ),
        (
            [("x", object, (None,))],
            {"x": column([1])},
            "takes strings as 'x', but the examples have numbers there",
        ),
        (
            [("examples", object, (None,))],
            {"x": column([1])},
            "Convert a signature that takes a tensor for each feature",
        ),
        (
            [("x", "float32", (1, 3)), ("y", "float32", (2, 3))],
            {"x": column([1, 2, 3]), "y": column([1, 2, 3])},
            "the first sizes differ",
        ),
    ],
)
def test_what_does_not_fit_is_said(inputs, columns, message):
    with pytest.raises(ValueError, match=message):
        function(Recorder(), *inputs).ask(columns)
