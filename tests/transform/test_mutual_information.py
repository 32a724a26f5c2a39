"""Mutual information beside its definition."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("tensorflow_transform", reason="pip install 'trainwright[transform]'")

from trainwright.transform.mutual_information import MutualInformation  # noqa: E402
from trainwright.transform.vocabulary_counts import Ordering, VocabularyKind  # noqa: E402

MEANS = VocabularyKind(Ordering.MUTUAL_INFORMATION, "string").means


def means(table):
    """What counts of examples by label become: their mean labels."""
    count = int(sum(table))
    mean = np.array(table, dtype=np.float64) / count
    accumulator = MEANS.add_input(
        MEANS.create_accumulator(),
        MEANS.accumulator_class(np.array(count), mean, np.array(0.0), None),
    )
    return MEANS.extract_output(accumulator)


def information_of(table, overall):
    """Sum over the labels of n(x, y) log2(n(x, y) n / n(x) n(y)): token x, label y."""
    both, labels = np.array(table, dtype=np.float64), np.array(overall, dtype=np.float64)
    total = 0.0
    for count, label in zip(both, labels, strict=True):
        if count:
            total += count * np.log2(count * labels.sum() / (both.sum() * label))
    return total


@pytest.mark.parametrize(
    ("table", "overall"),
    [([3, 5, 2], [20, 30, 10]), ([7, 1], [50, 50]), ([4, 4], [40, 40]), ([9, 1, 1], [30, 2, 9])],
)
def test_it_is_the_information_times_the_count(table, overall):
    information = MutualInformation(means(overall), adjusted=False, min_diff_from_avg=0.0)
    found, count = information.of(b"token", means(table))
    assert count == pytest.approx(sum(table))
    assert found == pytest.approx(information_of(table, overall), rel=1e-4, abs=1e-4)


def test_what_chance_would_give_is_subtracted():
    from sklearn.metrics.cluster import contingency_matrix, expected_mutual_information

    table, overall = [12, 3], [30, 30]
    tokens = [1] * 15 + [0] * 45
    labels = [0] * 12 + [1] * 3 + [0] * 18 + [1] * 27
    contingency = contingency_matrix(tokens, labels, sparse=True)
    # That of the token and of its absence, in nats; ours is for the token alone, times n in bits.
    whole = expected_mutual_information(contingency, 60) * 60 / np.log(2)
    plain = MutualInformation(means(overall), adjusted=False, min_diff_from_avg=0.0)
    adjusted = MutualInformation(means(overall), adjusted=True, min_diff_from_avg=0.0)
    expected = 0.0
    for own, other in ((table, overall), ([18, 27], overall)):
        expected += plain.of(b"token", means(own))[0] - adjusted.of(b"token", means(own))[0]
    assert expected == pytest.approx(whole, rel=1e-3)


def test_a_small_difference_from_the_average_says_nothing():
    table, overall = [6, 4], [50, 50]
    information = MutualInformation(means(overall), adjusted=False, min_diff_from_avg=1.01)
    assert information.of(b"token", means(table)) == (0, pytest.approx(10))


def test_a_token_of_every_example_says_nothing():
    information = MutualInformation(means([5, 5]), adjusted=False, min_diff_from_avg=0.0)
    assert information.of(b"token", means([5, 5])) == (0, 10)


def test_a_token_more_frequent_than_examples_is_a_mistake():
    information = MutualInformation(means([5, 5]), adjusted=False, min_diff_from_avg=0.0)
    with pytest.raises(ValueError, match=r"b'twice' occurs 20.* in 10.*once per example"):
        information.of(b"twice", means([10, 10]))
