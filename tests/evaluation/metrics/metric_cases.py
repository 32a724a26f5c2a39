"""Data and configs that TFMA and Trainwright are both given, without a word of either."""

from __future__ import annotations

import json
from dataclasses import dataclass

import numpy as np

EXAMPLES = 200
CLASSES = 4


@dataclass(frozen=True)
class Data:
    """Labels, predictions and weights, one row for each example."""

    labels: np.ndarray
    predictions: np.ndarray
    weights: np.ndarray


def _weights(random: np.random.Generator) -> np.ndarray:
    weights = np.round(random.gamma(2.0, 0.5, EXAMPLES), 3)
    weights[::17] = 0.0
    return weights


def _binary() -> Data:
    random = np.random.default_rng(1)
    labels = random.integers(0, 2, EXAMPLES).astype(np.float64)
    scores = 1 / (1 + np.exp(-random.normal(labels * 2 - 1, 1.5)))
    # Predictions on the edges of buckets and thresholds, where being above is being off by one.
    scores[:40] = np.round(scores[:40], 2)
    scores[40:60] = np.round(scores[40:60], 1)
    scores[60:64] = [0.0, 1.0, 0.5, 0.5]
    return Data(labels, scores, _weights(random))


def _fractional() -> Data:
    random = np.random.default_rng(2)
    labels = np.round(random.random(EXAMPLES), 2)
    predictions = np.clip(labels + random.normal(0, 0.3, EXAMPLES), 0, 1)
    return Data(labels, predictions, _weights(random))


def _undecided(data: Data) -> Data:
    """The same without predictions of exactly 0 and 1, whose logarithms are not finite."""
    return Data(data.labels, np.clip(data.predictions, 0.01, 0.99), data.weights)


def _one_sided(label: float) -> Data:
    binary = _binary()
    return Data(np.full(EXAMPLES, label), binary.predictions, binary.weights)


def _multi_class(one_hot: bool) -> Data:
    random = np.random.default_rng(3)
    classes = random.integers(0, CLASSES, EXAMPLES)
    classes[classes == 2] = 1
    logits = random.normal(0, 1, (EXAMPLES, CLASSES))
    logits[np.arange(EXAMPLES), classes] += 1.0
    predictions = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    # Some are tied.
    predictions[:20] = np.round(predictions[:20], 1)
    labels = np.eye(CLASSES)[classes] if one_hot else classes.astype(np.float64)
    return Data(labels, predictions, _weights(random))


def _multi_label() -> Data:
    random = np.random.default_rng(4)
    labels = (random.random((EXAMPLES, CLASSES)) < 0.4).astype(np.float64)
    predictions = np.clip(labels * 0.4 + random.random((EXAMPLES, CLASSES)) * 0.6, 0, 1)
    return Data(labels, predictions, _weights(random))


def _regression() -> Data:
    random = np.random.default_rng(5)
    labels = np.round(random.gamma(2.0, 3.0, EXAMPLES), 2)
    labels[::23] = 0.0
    predictions = np.abs(labels + random.normal(0.5, 2.0, EXAMPLES))
    return Data(labels, predictions, _weights(random))


DATA = {
    "binary": _binary(),
    "fractional": _fractional(),
    "all_positive": _one_sided(1.0),
    "all_negative": _one_sided(0.0),
    "sparse": _multi_class(one_hot=False),
    "one_hot": _multi_class(one_hot=True),
    "undecided": _undecided(_fractional()),
    "undecided_one_hot": _undecided(_multi_class(one_hot=True)),
    "multi_label": _multi_label(),
    "regression": _regression(),
}

RATES = [
    *("TruePositives", "TP", "TrueNegatives", "TN", "FalsePositives", "FP", "FalseNegatives"),
    *("FN", "BinaryAccuracy", "Precision", "PPV", "Recall", "TPR", "Specificity", "TNR"),
    *("FallOut", "FPR", "MissRate", "FNR", "NegativePredictiveValue", "NPV"),
    *("FalseDiscoveryRate", "FalseOmissionRate", "Prevalence", "PrevalenceThreshold"),
    *("ThreatScore", "BalancedAccuracy", "F1Score", "MatthewsCorrelationCoefficient"),
    *("FowlkesMallowsIndex", "Informedness", "Markedness", "PositiveLikelihoodRatio"),
    *("NegativeLikelihoodRatio", "DiagnosticOddsRatio", "PredictedPositiveRate"),
]


def _metric(class_name: str, module: str = "", **config: object) -> dict[str, object]:
    metric: dict[str, object] = {"class_name": class_name, "config": json.dumps(config)}
    return {**metric, "module": module} if module else metric


COUNTS = [_metric("ExampleCount"), _metric("WeightedExampleCount")]
MEANS = [_metric("MeanLabel"), _metric("MeanPrediction"), _metric("Calibration")]
CURVES = [
    *(
        _metric("AUC", name=f"auc_{curve}_{method}", curve=curve, summation_method=method)
        for curve in ("ROC", "PR")
        for method in ("interpolation", "majoring", "minoring")
    ),
    _metric("AUC"),
    _metric("AUCPrecisionRecall"),
    _metric("AUC", name="auc_200", num_thresholds=200),
    _metric("AUC", name="auc_given", thresholds=[0.0, 0.1, 0.25, 0.5, 0.75, 1.0]),
    _metric("AUC", name="auc_pr_given", curve="PR", thresholds=[0.0, 0.1, 0.25, 0.5, 0.75, 1.0]),
    _metric("SensitivityAtSpecificity", specificity=0.8),
    _metric("SensitivityAtSpecificity", name="sensitivities", specificity=[0.1, 0.5, 1.0]),
    _metric("SpecificityAtSensitivity", sensitivity=0.8, num_thresholds=100),
    _metric("PrecisionAtRecall", recall=0.8),
    _metric("PrecisionAtRecall", name="few", recall=[0.5, 0.99], thresholds=[0.3, 0.6]),
    _metric("RecallAtPrecision", precision=0.8),
    _metric("RecallAtFalsePositiveRate", false_positive_rate=0.2),
    _metric("ThresholdAtRecall", recall=0.7),
    _metric("MaxRecall"),
]
PLOTS = [
    _metric("ConfusionMatrixPlot"),
    _metric("CalibrationPlot"),
    _metric("ConfusionMatrixPlot", name="coarse", num_thresholds=30),
    _metric("CalibrationPlot", name="coarse_calibration", num_buckets=7),
    _metric("ConfusionMatrixAtThresholds", thresholds=[0.25, 0.5, 0.9]),
]
PAIRED = [_metric("MeanAbsoluteError"), _metric("MeanSquaredError")]
REGRESSION = [
    *PAIRED,
    _metric("MeanAbsolutePercentageError"),
    _metric("MeanSquaredLogarithmicError"),
    _metric("SquaredPearsonCorrelation"),
]
DISCRIMINATION = [
    _metric("CoefficientOfDiscrimination"),
    _metric("RelativeCoefficientOfDiscrimination"),
]
# For predictions that are exactly 0 or 1, which Keras 3 keeps from the edge by another distance.
KERAS_2 = "tf_keras.metrics"

KERAS_BINARY = [
    _metric("BinaryCrossentropy", name="keras_loss"),
    _metric("BinaryCrossentropy", KERAS_2, name="smooth", label_smoothing=0.1),
    _metric("Hinge"),
    _metric("Accuracy"),
    _metric("CosineSimilarity"),
    _metric("MeanIoU", num_classes=2),
]
KERAS_ONE_HOT = [
    _metric("CategoricalCrossentropy", name="keras_loss"),
    _metric("CategoricalAccuracy"),
    _metric("TopKCategoricalAccuracy", k=2),
    _metric("KLDivergence"),
    _metric("OneHotMeanIoU", num_classes=CLASSES),
]
KERAS_SPARSE = [
    _metric("SparseCategoricalCrossentropy"),
    _metric("SparseCategoricalAccuracy"),
    _metric("SparseTopKCategoricalAccuracy", k=2),
]
KERAS_REGRESSION = [
    _metric("RootMeanSquaredError"),
    _metric("LogCoshError", name="logcosh"),
    _metric("Poisson"),
    _metric("R2Score"),
]
LOSSES = "tf_keras.src.losses"

BOTH_WEIGHTS = {"weighted": True, "unweighted": True}
UNWEIGHTED = {"unweighted": True}
CLASS_WEIGHTS = {str(class_id): weight for class_id, weight in enumerate((1.0, 2.0, 0.5, 1.5))}


def _spec(metrics: list[dict[str, object]], **options: object) -> dict[str, object]:
    return {"metrics": metrics, "example_weights": BOTH_WEIGHTS, **options}


_RATES = [_metric(rate) for rate in RATES]
_SEVERAL = [
    _metric(rate, name=f"{rate}_several", thresholds=[0.7, 0.1, 0.5])
    for rate in ("Precision", "Recall", "F1Score", "DiagnosticOddsRatio")
]
_OF_CLASSES = [_metric("AUC"), _metric("Precision"), _metric("FPR"), *MEANS, *PAIRED]
_ENTROPIES = [
    _metric("BinaryCrossEntropy"),
    _metric("BinaryCrossEntropy", name="smooth_entropy", label_smoothing=0.1),
]

# By name: the data, and the MetricsSpec as JSON.
CASES: dict[str, tuple[str, dict[str, object]]] = {
    "binary": (
        "binary",
        _spec([*COUNTS, *MEANS, *_RATES, *_SEVERAL, *CURVES, *PLOTS, *PAIRED, *DISCRIMINATION]),
    ),
    "binary_keras": ("binary", _spec(KERAS_BINARY)),
    "binary_distribution": (
        "binary",
        _spec([_metric("ScoreDistributionPlot", num_thresholds=50)]),
    ),
    "binary_loss": (
        "binary",
        _spec(
            [_metric("BinaryCrossentropy", LOSSES, name="loss"), _metric("Hinge", LOSSES)],
            example_weights=UNWEIGHTED,
        ),
    ),
    "fractional": (
        "fractional",
        _spec([*MEANS, *_RATES, *CURVES, *PLOTS, *DISCRIMINATION]),
    ),
    "entropies": ("undecided", _spec(_ENTROPIES)),
    "one_hot_entropies": ("undecided_one_hot", _spec(_ENTROPIES)),
    "logits": ("regression", _spec([_metric("BinaryCrossEntropy", from_logits=True)])),
    "all_positive": ("all_positive", _spec([*MEANS, *_RATES, *CURVES, *DISCRIMINATION])),
    "all_negative": ("all_negative", _spec([*MEANS, *_RATES, *CURVES, *DISCRIMINATION])),
    "regression": (
        "regression",
        _spec([*COUNTS, *MEANS, *REGRESSION, _metric("CalibrationPlot", left=0, right=15)]),
    ),
    "regression_keras": ("regression", _spec(KERAS_REGRESSION)),
    "sparse": (
        "sparse",
        _spec(
            [
                *_OF_CLASSES,
                _metric("Precision", name="precision_top_2", top_k=2),
                _metric("Recall", name="recall_of_1", class_id=1),
                _metric("AUC", name="auc_of_1", class_id=1),
                _metric("MultiClassConfusionMatrixAtThresholds"),
                _metric("MultiLabelConfusionMatrixPlot"),
            ]
        ),
    ),
    # Apart from each other: TFMA takes matrices at other thresholds for the same.
    "sparse_two_thresholds": (
        "sparse",
        _spec([_metric("MultiClassConfusionMatrixAtThresholds", thresholds=[0.3, 0.6])]),
    ),
    "sparse_class_plot": ("sparse", _spec([_metric("MultiClassConfusionMatrixPlot")])),
    "sparse_even_plot": (
        "sparse",
        _spec([_metric("MultiClassConfusionMatrixPlot", num_thresholds=4)]),
    ),
    "sparse_keras": ("sparse", _spec(KERAS_SPARSE)),
    "sparse_binarized": (
        "sparse",
        _spec(
            [*COUNTS, *_OF_CLASSES, *PLOTS[:2]],
            binarize={"class_ids": {"values": [0, 2]}, "k_list": {"values": [1, 3]}},
        ),
    ),
    "sparse_keras_binarized": (
        "sparse",
        _spec(
            [_metric("BinaryCrossentropy", KERAS_2, name="keras_loss"), _metric("Hinge")],
            binarize={"class_ids": {"values": [1]}, "k_list": {"values": [1]}},
        ),
    ),
    "sparse_top_k": (
        "sparse",
        _spec(
            [_metric("Precision"), _metric("Recall"), _metric("TP"), _metric("TN")],
            binarize={"top_k_list": {"values": [1, 2]}},
        ),
    ),
    "sparse_micro": ("sparse", _spec(_OF_CLASSES, aggregate={"micro_average": True})),
    "sparse_micro_weighted": (
        "sparse",
        _spec(_OF_CLASSES, aggregate={"micro_average": True, "class_weights": CLASS_WEIGHTS}),
    ),
    "sparse_micro_top_k": (
        "sparse",
        _spec(
            [_metric("AUC"), _metric("Precision"), _metric("Recall", thresholds=0.3), *PAIRED],
            aggregate={"micro_average": True, "top_k_list": {"values": [1, 2]}},
        ),
    ),
    "sparse_macro": (
        "sparse",
        _spec(
            [*COUNTS, *_OF_CLASSES],
            aggregate={"macro_average": True, "class_weights": CLASS_WEIGHTS},
        ),
    ),
    "sparse_macro_top_k": (
        "sparse",
        _spec(
            [_metric("AUC"), _metric("Recall"), *MEANS[:2]],
            aggregate={"macro_average": True, "top_k_list": {"values": [2]}},
        ),
    ),
    "sparse_weighted_macro": (
        "sparse",
        _spec(
            _OF_CLASSES, aggregate={"weighted_macro_average": True, "class_weights": CLASS_WEIGHTS}
        ),
    ),
    "one_hot": (
        "one_hot",
        _spec(
            [
                *_OF_CLASSES,
                _metric("CategoricalCrossEntropy"),
                _metric("CategoricalCrossEntropy", name="smooth_c", label_smoothing=0.2),
                _metric("CategoricalCrossEntropy", name="logits_c", from_logits=True),
                _metric("MultiClassConfusionMatrixPlot"),
            ]
        ),
    ),
    "one_hot_keras": ("one_hot", _spec(KERAS_ONE_HOT)),
    "one_hot_keras_micro": (
        "one_hot",
        _spec(
            [_metric("BinaryCrossentropy", KERAS_2, name="keras_loss"), _metric("Hinge")],
            aggregate={"micro_average": True, "class_weights": CLASS_WEIGHTS},
        ),
    ),
    "one_hot_keras_macro": (
        "one_hot",
        _spec(
            [_metric("BinaryCrossentropy", KERAS_2, name="keras_loss")],
            aggregate={"macro_average": True, "class_weights": CLASS_WEIGHTS},
        ),
    ),
    "one_hot_weighted_macro": (
        "one_hot",
        _spec(
            _OF_CLASSES, aggregate={"weighted_macro_average": True, "class_weights": CLASS_WEIGHTS}
        ),
    ),
    "multi_label": (
        "multi_label",
        _spec(
            [
                *_OF_CLASSES,
                *DISCRIMINATION,
                _metric("SquaredPearsonCorrelation"),
                _metric("MultiLabelConfusionMatrixPlot", thresholds=[0.3, 0.5]),
                _metric("MultiLabelConfusionMatrixPlot", name="even", num_thresholds=3),
            ]
        ),
    ),
    "multi_label_binarized": (
        "multi_label",
        _spec([*_OF_CLASSES, *PLOTS[:2]], binarize={"class_ids": {"values": [3]}}),
    ),
}

_MATRIX = (
    *("threshold", "true_positives", "false_positives", "true_negatives", "false_negatives"),
    *("precision", "recall", "false_positive_rate", "false_omission_rate", "f1", "accuracy"),
)
_CLASS_CELL = ("actual_class_id", "predicted_class_id", "num_weighted_examples")
_LABEL_CELL = (
    *("actual_class_id", "predicted_class_id", "false_negatives", "true_negatives"),
    *("false_positives", "true_positives"),
)


def table_of(message) -> list[list[float]]:
    """A message of matrices or buckets as rows of numbers."""
    if hasattr(message, "buckets"):
        return [
            [
                bucket.lower_threshold_inclusive,
                bucket.upper_threshold_exclusive,
                bucket.total_weighted_label.value,
                bucket.total_weighted_refined_prediction.value,
                bucket.num_weighted_examples.value,
            ]
            for bucket in message.buckets
        ]
    if not message.matrices or not hasattr(message.matrices[0], "entries"):
        return [[getattr(matrix, name) for name in _MATRIX] for matrix in message.matrices]
    names = _CLASS_CELL if message.DESCRIPTOR.name.startswith("MultiClass") else _LABEL_CELL
    return [
        [matrix.threshold, *(getattr(entry, name) for name in names)]
        for matrix in message.matrices
        for entry in matrix.entries
    ]


def summary_of(table: list[list[float]]) -> dict[str, object]:
    """A table, or of a long one every 37th row, how many there are, and their sums."""
    if len(table) <= 60:
        return {"rows": table}
    finite = np.array(table)
    sums = np.where(np.isfinite(finite), finite, 0.0).sum(axis=0)
    return {"count": len(table), "rows": table[::37], "sums": sums.tolist()}
