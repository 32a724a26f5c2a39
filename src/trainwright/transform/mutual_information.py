"""Mutual information of tokens and labels, by which a vocabulary can be ordered.

The information of a token about the labels, times how often the token occurs: a token that occurs
often and in the examples of one label comes first. The adjusted kind subtracts what chance alone
would give (Vinh, Epps and Bailey, "Information theoretic measures for clusterings comparison",
2009).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from tensorflow_transform import analyzers, info_theory, tf_utils

from trainwright.transform.vocabulary_counts import Token

# tf.Transform counts the labels of all examples under a token of its own.
SENTINELS = (tf_utils.GLOBAL_Y_COUNT_SENTINEL_STRING, tf_utils.GLOBAL_Y_COUNT_SENTINEL_INT)

# Certainty would be infinitely informative.
_LEAST_PROBABILITY = 1e-6


class MutualInformation:
    """Computes the information of one token after the other.

    Args:
        overall: The mean labels, the count and the mean weight of all examples.
        adjusted: Whether what chance would give is subtracted.
        min_diff_from_avg: Below this difference from the expected count a label says nothing;
            if None, tf.Transform's recommendation for this number of examples.
    """

    def __init__(self, overall: Any, *, adjusted: bool, min_diff_from_avg: float | None) -> None:
        self._total = overall.count * overall.weight
        self._label_counts = overall.mean * overall.weight * overall.count
        self._adjusted = adjusted
        if min_diff_from_avg is None:
            min_diff_from_avg = analyzers.calculate_recommended_min_diff_from_avg(self._total)
        self._least_difference = min_diff_from_avg

    def of(self, token: Token, means: Any) -> tuple[float, float]:
        """The information of a token, and its weighted count.

        Sums are made in tf.Transform's order and begin with its zero, an integer: vocabularies are
        ordered by their last digit, and may contain it.
        """
        count = means.count * means.weight
        if self._total == 0:
            return float("nan"), 0
        if round(count) == round(self._total):
            return 0, count  # it is in every example, so it tells nothing
        if round(count) > round(self._total):
            raise ValueError(
                f"The token {token!r} occurs {count} times in {self._total} examples. With labels, "
                "a vocabulary needs each token once per example: remove repetitions first, for "
                "example with tft.deduplicate_tensor_per_row."
            )
        information: float = 0
        by_chance: float = 0
        for label, label_count in enumerate(self._label_counts):
            mean = means.mean[label] if label < len(means.mean) else 0
            probability = np.clip(mean, _LEAST_PROBABILITY, 1 - _LEAST_PROBABILITY)
            both = probability * means.weight * means.count
            if not self._is_telling(count, both, label_count):
                continue
            information += info_theory.calculate_partial_mutual_information(
                both, count, label_count, self._total
            )
            if self._adjusted:
                by_chance += info_theory.calculate_partial_expected_mutual_information(
                    self._total, count, label_count
                )
        return information - by_chance, count

    def _is_telling(self, count: float, both: float, label_count: float) -> bool:
        """Whether token and label meet other than by the average."""
        if label_count == 0:
            return False
        difference: float = abs(count * label_count / self._total - both)
        return difference >= self._least_difference
