"""Keras' metrics of confusion matrices: sums for all slices at once say what Keras says."""

from __future__ import annotations

import importlib
import math

import numpy as np
import pytest
from metric_sums import add_up, batch_of

from trainwright.evaluation.metrics.keras.keras_confusion import KerasConfusion
from trainwright.evaluation.metrics.keras.keras_objects import SerializedKerasObject
from trainwright.evaluation.metrics.pairs import PairRule

METRICS = [
    ("AUC", {}),
    ("AUC", {"curve": "PR", "num_thresholds": 17}),
    ("AUC", {"thresholds": [0.2, 0.5, 0.7], "summation_method": "minoring"}),
    ("Precision", {}),
    ("Precision", {"thresholds": [0.9, 0.1, 0.5]}),
    ("Recall", {"thresholds": 0.25}),
    ("TruePositives", {}),
    ("FalsePositives", {"thresholds": [0.25, 0.5]}),
    ("TrueNegatives", {}),
    ("FalseNegatives", {}),
    ("PrecisionAtRecall", {"recall": 0.6}),
    ("SensitivityAtSpecificity", {"specificity": 0.5, "num_thresholds": 50}),
]


def described_as(library, class_name, arguments):
    config = {"name": "m", **arguments}
    return SerializedKerasObject.read(
        f"{library}.metrics", {"class_name": class_name, "config": config}
    )


def computation_of(described):
    assert KerasConfusion.can_compute(described)
    return KerasConfusion("", "", described, PairRule(weighted=True), asked_by="m")


def random_batch(columns=1):
    source = np.random.default_rng(5)
    # Multiples of 1/16 lie on thresholds.
    predictions = source.integers(0, 17, (200, columns)) / 16
    labels = (source.random((200, columns)) < predictions).astype(np.int64)
    return batch_of(labels, predictions, source.integers(0, 4, 200) / 2)


@pytest.mark.parametrize("library", ["tf_keras", "keras"])
@pytest.mark.parametrize(("class_name", "arguments"), METRICS)
@pytest.mark.parametrize("columns", [1, 3])
def test_the_value_is_keras_own(library, class_name, arguments, columns) -> None:
    batch = random_batch(columns)
    sums = computation_of(described_as(library, class_name, arguments))
    halves = [batch.take(np.arange(0, 90)), batch.take(np.arange(90, 200))]
    (found,) = sums.result(add_up(sums, halves)).values()

    metric = getattr(importlib.import_module(library).metrics, class_name)(**arguments)
    # A weight for each of several columns has to be written out.
    weights = np.repeat(batch.weights, columns).reshape(200, columns)
    metric.update_state(
        batch.labels.astype("float32"),
        batch.predictions.astype("float32"),
        sample_weight=weights.astype("float32"),
    )
    np.testing.assert_allclose(found, np.asarray(metric.result()).squeeze(), rtol=1e-6)


def test_what_is_not_of_single_pairs_is_left_to_keras() -> None:
    for arguments in ({"multi_label": True, "num_labels": 3}, {"from_logits": True}):
        assert not KerasConfusion.can_compute(described_as("tf_keras", "AUC", arguments))
    assert not KerasConfusion.can_compute(described_as("tf_keras", "Recall", {"top_k": 2}))
    assert not KerasConfusion.can_compute(described_as("tf_keras", "BinaryAccuracy", {}))


def test_a_prediction_that_is_nan_makes_it_nan_unless_it_weighs_nothing() -> None:
    sums = computation_of(described_as("tf_keras", "Precision", {}))
    labels, predictions = [[1], [1]], [[0.9], [math.nan]]
    (found,) = sums.result(add_up(sums, [batch_of(labels, predictions)])).values()
    assert math.isnan(found)
    (found,) = sums.result(add_up(sums, [batch_of(labels, predictions, [1, 0])])).values()
    assert found == 1.0


def test_predictions_that_are_no_probabilities_are_named() -> None:
    sums = computation_of(described_as("tf_keras", "AUC", {}))
    with pytest.raises(ValueError, match="takes predictions from 0 to 1, and .* from -2 to 0.5"):
        sums.entries(batch_of([[1], [0]], [[-2.0], [0.5]]))
    with pytest.raises(ValueError, match="examples have 1 labels and 3 predictions"):
        sums.entries(batch_of([[1]], [[0.2, 0.3, 0.5]]))
