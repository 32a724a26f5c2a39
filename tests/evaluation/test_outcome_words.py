"""The words for the outcome of an evaluation."""

import pytest

from trainwright.evaluation.thresholds.outcome_words import counts, headline


@pytest.mark.parametrize(
    ("total", "failed", "undecided", "words"),
    [
        (1, 0, 0, "1 threshold met"),
        (1200, 0, 0, "1,200 thresholds met"),
        (3, 2, 0, "2 of 3 thresholds not met"),
        (3, 0, 2, "2 of 3 thresholds undecided"),
        (3, 1, 1, "1 of 3 thresholds not met, 1 undecided"),
    ],
)
def test_counts(total, failed, undecided, words):
    assert counts(total, failed=failed, undecided=undecided) == words


def test_headlines_are_three():
    assert len({headline(outcome) for outcome in (True, False, None)}) == 3
