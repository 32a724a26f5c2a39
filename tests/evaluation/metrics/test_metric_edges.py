"""Metrics of nothing, of one class only, of NaN and of examples that count nothing."""

from __future__ import annotations

import math

import numpy as np
import pytest
from metric_sums import batch_of, config_of, metric_spec, value_of, values_of

from trainwright.evaluation.computation import ModelBatch

EMPTY = batch_of(np.zeros(0), np.zeros((0, 1)))
NO_CLASSES = batch_of(np.zeros(0), np.zeros((0, 3)))


@pytest.mark.parametrize(
    ("class_name", "expected"),
    [
        ("ExampleCount", 0.0),
        ("MeanLabel", math.nan),
        ("Calibration", math.nan),
        ("Precision", math.nan),
        ("TruePositives", 0.0),
        ("MeanSquaredError", math.nan),
        ("SquaredPearsonCorrelation", math.nan),
        ("BinaryCrossEntropy", math.nan),
        ("CoefficientOfDiscrimination", math.nan),
        ("AUC", 0.0),
        # As Keras says of nothing.
        ("BinaryCrossentropy", 0.0),
        ("MeanIoU", 0.0),
    ],
)
def test_value_of_no_examples(class_name: str, expected: float) -> None:
    config = '{"num_classes": 2}' if class_name == "MeanIoU" else ""
    assert value_of(class_name, EMPTY, config) == pytest.approx(expected, nan_ok=True)


@pytest.mark.parametrize(
    "class_name",
    ["CalibrationPlot", "ConfusionMatrixPlot", "ScoreDistributionPlot"],
)
def test_plots_of_no_examples_are_written(class_name: str) -> None:
    assert value_of(class_name, EMPTY).to_plot_data().ByteSize() > 0


@pytest.mark.parametrize(
    "class_name", ["MultiClassConfusionMatrixPlot", "MultiLabelConfusionMatrixPlot"]
)
def test_class_plots_of_no_examples_have_no_cells(class_name: str) -> None:
    plot = value_of(class_name, NO_CLASSES).to_plot_data()
    (matrices,) = [value for _, value in plot.ListFields()]
    assert [len(matrix.entries) for matrix in matrices.matrices] == [0]


@pytest.mark.parametrize(
    "class_name",
    [
        *("MeanPrediction", "MeanSquaredError", "BinaryCrossEntropy", "BinaryCrossentropy"),
        *("CoefficientOfDiscrimination", "BinaryAccuracy", "AUC", "MeanIoU"),
    ],
)
def test_examples_that_weigh_nothing_count_nothing_even_if_they_are_nan(class_name: str) -> None:
    text = '{"num_classes": 2}' if class_name == "MeanIoU" else ""
    config = config_of(metric_spec(class_name, text), models=[{"example_weight_key": "weight"}])
    with_nan = batch_of([1.0, 0.0, 1.0], [0.8, 0.4, np.nan], [1.0, 2.0, 0.0])
    without = batch_of([1.0, 0.0], [0.8, 0.4], [1.0, 2.0])
    assert values_of(config, with_nan) == pytest.approx(values_of(config, without))


def test_predictions_that_are_no_numbers_make_curves_unknown_and_are_above_no_threshold() -> None:
    batch = batch_of([1.0, 0.0, 1.0], [0.9, 0.1, np.nan])
    assert math.isnan(value_of("AUC", batch))
    assert math.isnan(value_of("MeanPrediction", batch))
    assert value_of("Recall", batch) == pytest.approx(0.5)
    matrices = value_of("ConfusionMatrixPlot", batch).to_proto().matrices
    assert [matrices[0].true_positives, matrices[0].false_negatives] == [1.0, 1.0]


def test_certain_predictions_that_are_right_have_no_cross_entropy() -> None:
    assert value_of("BinaryCrossEntropy", batch_of([1.0, 0.0], [1.0, 0.0])) == 0.0
    assert value_of("BinaryCrossEntropy", batch_of([1.0], [0.0])) == math.inf


def test_class_numbers_are_one_hot_to_a_cross_entropy() -> None:
    predictions = np.array([[0.7, 0.2, 0.1], [0.1, 0.1, 0.8]])
    by_number = value_of("CategoricalCrossEntropy", batch_of([0, 2], predictions))
    one_hot = value_of("CategoricalCrossEntropy", batch_of(np.eye(3)[[0, 2]], predictions))
    assert by_number == one_hot == pytest.approx(-(math.log(0.7) + math.log(0.8)) / 2)


def test_errors_of_labels_of_zero_are_no_percentage() -> None:
    batch = batch_of([0.0, 2.0], [1.0, 3.0])
    assert value_of("MeanAbsolutePercentageError", batch) == pytest.approx(50.0)


def test_top_k_counts_logits_below_zero_as_predicted() -> None:
    batch = batch_of([0, 1], [[-1.0, -2.0, -3.0], [-3.0, -2.0, -1.0]])
    assert value_of("Recall", batch, '{"top_k": 1}') == pytest.approx(0.5)
    assert value_of("Recall", batch, '{"top_k": 3}') == pytest.approx(1.0)


def test_thresholds_may_be_in_any_order_and_a_prediction_on_one_is_not_above_it() -> None:
    batch = batch_of([1.0, 1.0, 0.0], [0.5, 0.7, 0.6])
    values = value_of("TruePositives", batch, '{"thresholds": [0.7, 0.1, 0.5]}')
    np.testing.assert_array_equal(values, [0.0, 2.0, 1.0])


def test_class_matrices_take_each_threshold_by_itself() -> None:
    batch = batch_of([0, 1, 1], [[0.9, 0.1], [0.6, 0.4], [0.2, 0.8]])
    config = '{"thresholds": [0.85, 0.5]}'
    matrices = value_of("MultiClassConfusionMatrixAtThresholds", batch, config)
    assert matrices.thresholds == (0.5, 0.85)
    assert matrices.cells == (
        ((0, 0, 1.0), (1, 0, 1.0), (1, 1, 1.0)),
        ((0, 0, 1.0), (1, -1, 2.0)),
    )


def test_unknown_labels_are_of_no_class() -> None:
    batch = batch_of([-1, 0], [[0.9, 0.1], [0.9, 0.1]])
    matrices = value_of("MultiClassConfusionMatrixAtThresholds", batch)
    assert matrices.cells == (((-1, 0, 1.0), (0, 0, 1.0)),)
    assert value_of("TruePositives", batch) == 1.0
    assert value_of("FalsePositives", batch) == 1.0


def test_a_model_without_labels_still_has_a_mean_prediction() -> None:
    assert value_of("MeanPrediction", batch_of(None, [0.25, 0.75])) == pytest.approx(0.5)
    with pytest.raises(ValueError, match="'mean_label' needs labels.*label_key"):
        value_of("MeanLabel", batch_of(None, [0.25, 0.75]))


def test_sums_may_be_of_any_number_of_examples() -> None:
    """A replicate counts examples as often as they were drawn."""
    once = batch_of([1.0, 0.0, 1.0], [0.9, 0.4, 0.3])
    rows = np.array([0, 0, 2])
    drawn: ModelBatch = once.take(rows)
    for class_name in ("AUC", "F1Score", "MeanSquaredError", "BinaryCrossentropy"):
        twice = values_of(config_of(metric_spec(class_name)), drawn, drawn)
        assert twice == pytest.approx(values_of(config_of(metric_spec(class_name)), drawn))
