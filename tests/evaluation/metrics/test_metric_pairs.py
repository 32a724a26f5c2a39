"""Pairs of labels and predictions."""

from __future__ import annotations

import numpy as np
import pytest
from metric_sums import batch_of, value_of

from trainwright.evaluation.metric_keys import SubKey
from trainwright.evaluation.metrics.multiclass.class_pairs import pair_number, pair_of_number
from trainwright.evaluation.metrics.pairs import PairRule, pairs_of

PREDICTIONS = [[0.2, 0.5, 0.3], [0.6, 0.3, 0.1]]


def pairs(rule: PairRule, labels=(2, 0), weights=(1.0, 3.0)):
    return pairs_of(batch_of(labels, PREDICTIONS, weights), rule)


def test_one_prediction_for_each_example_is_paired_with_its_label() -> None:
    made = pairs_of(batch_of([1, 0], [[0.7], [0.1]]), PairRule())
    np.testing.assert_array_equal(made.labels, [1, 0])
    np.testing.assert_array_equal(made.weights, [1, 1])
    assert made.rows is None


def test_class_numbers_are_a_label_for_each_class() -> None:
    made = pairs(PairRule(weighted=True))
    np.testing.assert_array_equal(made.labels, [0, 0, 1, 1, 0, 0])
    np.testing.assert_array_equal(made.weights, [1, 1, 1, 3, 3, 3])
    np.testing.assert_array_equal(made.rows, [0, 0, 0, 1, 1, 1])


def test_labels_as_wide_as_predictions_are_taken_as_they_are() -> None:
    made = pairs(PairRule(), labels=[[1, 0, 1], [0, 0, 0]])
    np.testing.assert_array_equal(made.labels, [1, 0, 1, 0, 0, 0])


@pytest.mark.parametrize("labels", [(2, 0), [[0, 0, 1], [1, 0, 0]]])
def test_class_id_is_one_class_against_the_others(labels) -> None:
    made = pairs(PairRule(SubKey(class_id=2)), labels)
    np.testing.assert_array_equal(made.labels, [1, 0])
    np.testing.assert_array_equal(made.predictions, [0.3, 0.1])


def test_k_is_the_class_at_a_place() -> None:
    made = pairs(PairRule(SubKey(k=2)))
    np.testing.assert_array_equal(made.labels, [1, 0])
    np.testing.assert_array_equal(made.predictions, [0.3, 0.3])


def test_top_k_leaves_the_others_unpredicted_or_out() -> None:
    kept = pairs(PairRule(SubKey(top_k=1)))
    np.testing.assert_array_equal(kept.predictions, [-np.inf, 0.5, -np.inf, 0.6, -np.inf, -np.inf])
    np.testing.assert_array_equal(kept.labels, [0, 0, 1, 1, 0, 0])
    alone = pairs(PairRule(SubKey(top_k=2), aggregated=True))
    np.testing.assert_array_equal(alone.predictions, [0.5, 0.3, 0.6, 0.3])
    np.testing.assert_array_equal(alone.labels, [0, 1, 1, 0])


def test_of_equal_predictions_the_first_class_is_higher() -> None:
    made = pairs_of(batch_of([1], [[0.4, 0.4, 0.2]]), PairRule(SubKey(k=1)))
    np.testing.assert_array_equal(made.labels, [0])


def test_classes_without_a_weight_count_nothing() -> None:
    made = pairs(PairRule(class_weights=((0, 2.0), (2, 0.5)), weighted=True))
    np.testing.assert_array_equal(made.weights, [2, 0, 0.5, 6, 0, 1.5])


def test_pairs_of_a_rule_are_made_once() -> None:
    batch = batch_of([2, 0], PREDICTIONS)
    assert pairs_of(batch, PairRule()) is pairs_of(batch, PairRule())


@pytest.mark.parametrize(
    ("labels", "rule", "message"),
    [
        (
            (3, 0),
            PairRule(),
            "label 3 is not a class of the model, which predicts 3 classes: 0 to 2",
        ),
        ((2, 0), PairRule(SubKey(class_id=7)), "class_id 7 is not a class of the model"),
        ((2, 0), PairRule(SubKey(top_k=4)), "The 4 classes with the highest predictions"),
        ([[1, 0], [0, 1]], PairRule(), "There are 2 labels for each example, and 3 predictions"),
    ],
)
def test_what_does_not_fit_is_refused(labels, rule: PairRule, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        pairs(rule, labels)


@pytest.mark.parametrize("label", [2.0, -0.5, np.nan])
def test_labels_of_confusion_matrices_are_between_0_and_1(label: float) -> None:
    with pytest.raises(ValueError, match=f"'auc' takes labels from 0 to 1.* {label:g}"):
        value_of("AUC", batch_of([1.0, label], [0.2, 0.3]))
    with pytest.raises(ValueError, match="'precision' takes labels from 0 to 1"):
        value_of("Precision", batch_of([1.0, label], [0.2, 0.3]))


def test_pairs_of_classes_have_numbers_of_their_own() -> None:
    first, second = np.meshgrid(np.arange(-1, 40), np.arange(-1, 40))
    numbers = pair_number(first.ravel(), second.ravel())
    assert len(set(numbers.tolist())) == first.size == numbers.max() + 1
    back = pair_of_number(numbers)
    np.testing.assert_array_equal(back[0], first.ravel())
    np.testing.assert_array_equal(back[1], second.ravel())
    great = np.array([65535]), np.array([65534])
    assert pair_of_number(pair_number(*great)) == great
    with pytest.raises(ValueError, match="Class numbers go from 0 to 65535"):
        pair_number(np.array([65536]), np.array([0]))
