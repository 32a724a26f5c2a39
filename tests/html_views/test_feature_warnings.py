"""Warnings about features, and when there are none."""

import math

import pytest

from trainwright.html_views.columns import all_columns
from trainwright.html_views.feature_warnings import feature_warnings
from trainwright.html_views.features import all_features


@pytest.fixture
def warnings_of(statistics):
    """The warnings of a feature that is added by the same method to train and to eval."""

    def warnings(method, first, second=None, counts=(1000, 1000)):
        splits = {}
        for name, arguments, count in zip(("train", "eval"), (first, second), counts):
            if arguments is not None:
                split = statistics(count)
                getattr(split, method)("x", **arguments)
                splits[name] = split.proto
        (feature,) = all_features(all_columns(splits))
        return feature_warnings(feature)

    return warnings


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ({}, {}, []),
        ({"missing": 1000}, {"missing": 1000}, ["no values in train and eval"]),
        ({"num_zeros": 500}, None, []),
        ({"num_zeros": 501}, None, ["zeros are 50.1% of train"]),
        ({"num_zeros": 600}, {"num_zeros": 900}, ["zeros are 60.0% of train, 90.0% of eval"]),
        ({"nan": 12}, None, ["12 values NaN in train"]),
        ({"max": math.inf}, {"min": -math.inf}, ["infinite values in train and eval"]),
        ({"mean": 5}, {"mean": 5.4}, []),
        ({"mean": 5}, {"mean": 7}, ["the mean shifts from 5 in train to 7 in eval"]),
        ({"mean": 5}, {"mean": math.nan}, []),
        ({}, {"missing": 50}, []),
        ({}, {"missing": 300}, ["missing in 0% of train, 30.0% of eval"]),
    ],
)
def test_warnings_of_numbers(warnings_of, first, second, expected):
    assert warnings_of("numbers", first, second) == expected


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ({"a": 500, "b": 500}, {"a": 540, "b": 460}, []),
        (
            {"a": 500, "b": 250, "c": 250},
            {"a": 700, "b": 150, "c": 150},
            ["“a” is 50.0% of train, 70.0% of eval"],
        ),
        ({"a": 1000}, {"b": 1000}, ["“a” is 100% of train, 0% of eval"]),
        ({}, {"b": 1000}, []),
    ],
)
def test_warnings_of_texts(warnings_of, first, second, expected):
    assert warnings_of("texts", {"counts": first}, {"counts": second}) == expected


def test_small_splits_differ_by_chance(warnings_of):
    """Of ten examples each, three more or less mean nothing."""
    few = warnings_of(
        "texts", {"counts": {"a": 5, "b": 5}}, {"counts": {"a": 8, "b": 2}}, counts=(10, 10)
    )
    assert few == []
    assert warnings_of("numbers", {"mean": 5}, {"mean": 6.5}, counts=(10, 10)) == []


def test_a_seldom_value_that_is_not_listed_is_no_difference(warnings_of):
    tops = {f"value {number}": 2 for number in range(20)}
    others = {f"other {number}": 2 for number in range(20)}
    first = {"counts": tops, "unique": 500}
    assert warnings_of("texts", first, {"counts": others, "unique": 500}) == []


NUMBERS = {str(number): 10 for number in range(98)}


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ({**NUMBERS, "n/a": 20}, ["numbers but for “n/a” (2.0% of train), which make the"]),
        ({"0": 500, "1": 480, "unknown": 20}, ["numbers but for “unknown” (2.0% of train), which"]),
        ({"1.5": 300, "NA": 700}, ["numbers but for “NA” (70.0% of train), which make"]),
        (
            {"a": 600, "NA": 390, "null": 10},
            ["“NA”, “null” is a value like others (40.0% of train): if it stands for a missing"],
        ),
        ({"a ": 400, "a": 600}, ["spaces at the ends of “a␣” (40.0% of train): they make another"]),
        ({"a": 600, "7": 400}, []),
        ({"1": 600, "7": 400}, ["numbers, stored as text: store them as numbers in the source"]),
        (NUMBERS, ["numbers, stored as text: store them as numbers in the source"]),
        ({"": 1000}, ["only empty strings in train: if they stand for missing values, leave"]),
        ({"": 600, "a": 400}, []),
        ({**NUMBERS, "": 20}, ["numbers but for “(empty string)” (2.0% of train), which make"]),
        ({"Nadia": 600, "New York": 400}, []),
    ],
)  # fmt: skip
def test_warnings_of_texts_that_look_like_something_else(warnings_of, counts, expected):
    found = warnings_of("texts", {"counts": counts})
    assert len(found) == len(expected)
    for warning, beginning in zip(found, expected):
        assert warning.startswith(beginning)


def test_numbers_are_recognised_where_the_statistics_name_a_few_of_them(warnings_of):
    """Of many different values the statistics name the most frequent ones: `n/a`, then numbers."""
    counts = {"n/a": 20, **{f"{number}.5": 1 for number in range(19)}}
    [warning] = warnings_of("texts", {"counts": counts, "unique": 981})
    assert warning.startswith("numbers but for “n/a” (2.0% of train), which make the feature text")
    assert warning.endswith(
        "leave such cells empty in the source, or replace them in preprocessing_fn"
    )
