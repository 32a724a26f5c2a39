"""Constraints on a dataset as a whole: how many examples it has."""

from __future__ import annotations

from typing import Any

from trainwright.schemas.comparators import Controls
from trainwright.schemas.reasons import Anomaly, Reason, six_digits
from trainwright.schemas.statistics_view import DatasetView


def check_dataset(dataset: DatasetView, constraints: Any, controls: Controls) -> list[Reason]:
    """Says how the number of examples departs from what was expected."""
    reasons = []
    comparators = (
        ("num_examples_drift_comparator", controls.previous, "previous span"),
        ("num_examples_version_comparator", controls.previous_version, "previous version"),
    )
    for name, control, control_name in comparators:
        if constraints.HasField(name) and control is not None:
            reasons += _compare_counts(dataset, control, getattr(constraints, name), control_name)
    return reasons + _check_count(dataset, constraints)


def _check_count(dataset: DatasetView, constraints: Any) -> list[Reason]:
    found = f"The dataset has {six_digits(dataset.num_examples)} examples, which is"
    reasons = []
    if (
        constraints.HasField("min_examples_count")
        and dataset.num_examples < constraints.min_examples_count
    ):
        kind, short = Anomaly.DATASET_LOW_NUM_EXAMPLES, "Low num examples in dataset."
        reasons.append(Reason(kind, short, f"{found} fewer than expected."))
    if (
        constraints.HasField("max_examples_count")
        and dataset.num_examples > constraints.max_examples_count
    ):
        kind, short = Anomaly.DATASET_HIGH_NUM_EXAMPLES, "High num examples in dataset."
        reasons.append(Reason(kind, short, f"{found} more than expected."))
    return reasons


def _compare_counts(
    dataset: DatasetView, control: DatasetView, comparator: Any, name: str
) -> list[Reason]:
    beginning = f"num examples in current dataset versus the {name}"
    has_most = comparator.HasField("max_fraction_threshold")
    if control.num_examples == 0:
        text = (
            f"The {name} has 0 examples, so there is a high number of examples in the current "
            f"dataset versus the {name}."
        )
        short = f"High {beginning}, which has 0."
        return [Reason(Anomaly.COMPARATOR_HIGH_NUM_EXAMPLES, short, text)] if has_most else []
    ratio = dataset.num_examples / control.num_examples
    found = (
        f"The ratio of num examples in the current dataset versus the {name} is "
        f"{six_digits(ratio)} (up to six significant digits), which is"
    )
    reasons = []
    if has_most and ratio > comparator.max_fraction_threshold:
        text = f"{found} above the threshold {six_digits(comparator.max_fraction_threshold)}."
        reasons.append(Reason(Anomaly.COMPARATOR_HIGH_NUM_EXAMPLES, f"High {beginning}.", text))
    if comparator.HasField("min_fraction_threshold") and ratio < comparator.min_fraction_threshold:
        text = f"{found} below the threshold {six_digits(comparator.min_fraction_threshold)}."
        reasons.append(Reason(Anomaly.COMPARATOR_LOW_NUM_EXAMPLES, f"Low {beginning}.", text))
    return reasons
