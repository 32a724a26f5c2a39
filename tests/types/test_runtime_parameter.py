"""Runtime parameters: what a run was given counts, then the default; a wrong type is refused."""

import pytest

from trainwright.types.runtime_parameter import RuntimeParameter


def test_the_default_counts_if_nothing_is_given():
    assert RuntimeParameter("steps", ptype=int, default=100).resolve({}) == 100


def test_a_default_of_zero_is_a_default():
    assert RuntimeParameter("steps", ptype=int, default=0).resolve({}) == 0


def test_what_is_given_counts_more_than_the_default():
    assert RuntimeParameter("steps", ptype=int, default=100).resolve({"steps": 10, "x": 1}) == 10


@pytest.mark.parametrize(
    ("ptype", "given", "expected"),
    [(int, "10", 10), (float, "0.5", 0.5), (float, 2, 2.0), (int, 2.0, 2), (str, 5, "5")],
)
def test_what_is_given_is_brought_to_the_type(ptype, given, expected):
    resolved = RuntimeParameter("value", ptype=ptype).resolve({"value": given})
    assert resolved == expected
    assert type(resolved) is ptype


def test_without_a_type_the_value_stays_as_it_is():
    assert RuntimeParameter("value").resolve({"value": "10"}) == "10"


def test_a_missing_value_says_how_to_give_it():
    with pytest.raises(ValueError) as raised:
        RuntimeParameter("steps", ptype=int).resolve({"step": 5})
    message = str(raised.value)
    assert "'steps' has no default and was given no value" in message
    assert "--set steps=VALUE" in message


@pytest.mark.parametrize(
    ("ptype", "value"), [(int, "ten"), (int, "2.5"), (int, 2.5), (int, [1]), (float, None)]
)
def test_a_value_of_the_wrong_type_is_refused(ptype, value):
    with pytest.raises(ValueError) as raised:
        RuntimeParameter("value", ptype=ptype).resolve({"value": value})
    assert str(raised.value) == (
        f"Runtime parameter 'value' expects {ptype.__name__}, got {value!r}."
    )


@pytest.mark.parametrize("ptype", [bool, dict, list, bytes])
def test_only_str_and_numbers_can_be_runtime_parameters(ptype):
    with pytest.raises(RuntimeError, match="Only str and scalar runtime parameters are supported"):
        RuntimeParameter("value", ptype=ptype)


def test_a_default_must_be_of_the_type():
    with pytest.raises(TypeError, match="'steps' must be a int, got '100'"):
        RuntimeParameter("steps", ptype=int, default="100")
