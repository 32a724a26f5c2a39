"""The battery: which models are evaluated, with which configs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Case:
    """One evaluation.

    Args:
        config: The eval config.
        model: A function of `battery_models`, without `save_`; None if predictions are features.
        baseline: The same for the baseline.
        schema: Of the examples, as text; without one, types are those of the values.
        legacy_keras: Whether TFMA runs with Keras 2, without which it cannot load such a model.
        twin: The same model for TFMA, where it cannot know what the other was compiled with.
    """

    config: dict[str, Any]
    model: str | None
    baseline: str | None = None
    schema: str = ""
    legacy_keras: bool = False
    twin: str | None = None


def _metrics(*names: str, **options: Any) -> dict[str, Any]:
    """A metrics spec; `"AUC curve=PR"` is a metric with an argument."""
    return {"metrics": [_metric(name) for name in names], **options}


def _metric(text: str) -> dict[str, Any]:
    name, *arguments = text.split()
    return {"class_name": name, "config": dict(one.split("=") for one in arguments)}


def _config(
    *metrics_specs: dict[str, Any], spec: dict[str, Any] | None = None, **others: Any
) -> dict[str, Any]:
    return {
        "model_specs": [spec or {"label_key": "label"}],
        "metrics_specs": list(metrics_specs),
        "slicing_specs": [{}, {"feature_keys": ["town"]}],
        **others,
    }


def _threshold(name: str, **threshold: Any) -> dict[str, Any]:
    return {"class_name": name, "threshold": threshold}


_AT_THRESHOLDS = (
    *("BinaryAccuracy", "Precision", "Recall", "Specificity", "FallOut", "MissRate"),
    *("NegativePredictiveValue", "FalseDiscoveryRate", "FalseOmissionRate", "F1Score"),
    *("PredictedPositiveRate", "Prevalence", "PrevalenceThreshold", "BalancedAccuracy"),
    *("ThreatScore", "MatthewsCorrelationCoefficient", "FowlkesMallowsIndex", "Informedness"),
    *("Markedness", "PositiveLikelihoodRatio", "NegativeLikelihoodRatio", "DiagnosticOddsRatio"),
    *("TruePositives", "TrueNegatives", "FalsePositives", "FalseNegatives", "MaxRecall"),
)
_CURVES = ("AUC", "AUC name=auc_pr curve=PR", "AUCPrecisionRecall")
_MEANS = ("Calibration", "MeanLabel", "MeanPrediction")
_COUNTS = ("ExampleCount", "WeightedExampleCount")
_PLOTS = ("ConfusionMatrixPlot", "CalibrationPlot")
_FEW = ("ExampleCount", "BinaryAccuracy", "AUC", "Calibration")
_OF_CLASS = ("AUC", "Precision", "Recall", "BinaryAccuracy")

_SLICES = [
    {},
    *(
        {"feature_keys": [name]}
        for name in ("town", "year", "size", "tags", "hours", "zip", "rare")
    ),
    {"feature_keys": ["town", "year"]},
    {"feature_keys": ["tags", "hours"]},
    {"feature_values": {"town": "Köln"}},
    # Strings that look like numbers, such as zip=12, are found here as TFMA's comment says; its
    # code compares strings with bytes and finds none.
    {"feature_values": {"year": "2008", "town": "Ulm"}},
    {"feature_values": {"size": "1.25"}},
    {"feature_values": {"size": "2"}},
    {"feature_keys": ["tags"], "feature_values": {"hours": "7"}},
    {"feature_values": {"town": "nowhere"}},
    {"feature_keys": ["nothing"]},
]

_SCHEMA = """
feature { name: "x" type: FLOAT presence { min_fraction: 1 } shape { dim { size: 1 } } }
feature { name: "label" type: INT presence { min_fraction: 1 } shape { dim { size: 1 } } }
feature {
  name: "minutes" type: FLOAT presence { min_fraction: 1 } shape { dim { size: 1 } }
  float_domain { min: 0 max: 40 }
}
feature { name: "y" type: FLOAT presence { min_fraction: 1 } shape { dim { size: 1 } } }
feature { name: "town" type: BYTES }
feature { name: "tags" type: BYTES }
"""

_SPARSE = {"label_key": "class_number"}
_KERAS_CLASSES = (
    *("SparseCategoricalAccuracy", "SparseCategoricalCrossentropy"),
    "SparseTopKCategoricalAccuracy",
)

CASES: dict[str, Case] = {
    "binary": Case(_config(_metrics(*_AT_THRESHOLDS, *_CURVES, *_MEANS, *_COUNTS)), "scorer"),
    "slices": Case(_config(_metrics(*_FEW), slicing_specs=_SLICES), "scorer"),
    "plots": Case(_config(_metrics(*_PLOTS, "ExampleCount")), "scorer"),
    "small slices": Case(
        _config(_metrics(*_FEW), slicing_specs=_SLICES, options={"min_slice_size": 50}), "scorer"
    ),
    "weighted": Case(
        _config(
            _metrics(*_AT_THRESHOLDS, *_CURVES, *_MEANS, *_COUNTS, *_PLOTS),
            spec={"label_key": "label", "example_weight_key": "weight"},
        ),
        "scorer",
    ),
    "weighted and not": Case(
        _config(
            _metrics(*_FEW, example_weights={"weighted": True, "unweighted": True}),
            spec={"label_key": "label", "example_weight_key": "weight"},
        ),
        "scorer",
    ),
    "classes": Case(
        _config(
            _metrics(*_KERAS_CLASSES, *_COUNTS, "MultiClassConfusionMatrixAtThresholds"),
            spec=_SPARSE,
        ),
        "classifier",
    ),
    # By itself: TFMA takes it for the table above, whatever the thresholds are.
    "plot of classes": Case(
        _config(_metrics("MultiClassConfusionMatrixPlot"), spec=_SPARSE), "classifier"
    ),
    "weighted classes": Case(
        _config(
            _metrics(*_KERAS_CLASSES, *_COUNTS),
            spec={**_SPARSE, "example_weight_key": "weight"},
        ),
        "classifier",
    ),
    "classes as vectors": Case(
        _config(
            _metrics("CategoricalAccuracy", "CategoricalCrossentropy", "AUC"),
            spec={"label_key": "class_vector"},
        ),
        "classifier",
    ),
    "class by class": Case(
        _config(
            _metrics(*_OF_CLASS, *_PLOTS, binarize={"class_ids": {"values": [0, 2]}}),
            spec=_SPARSE,
        ),
        "classifier",
    ),
    "highest class": Case(
        _config(_metrics(*_OF_CLASS, binarize={"k_list": {"values": [1, 3]}}), spec=_SPARSE),
        "classifier",
    ),
    "highest two": Case(
        _config(_metrics(*_OF_CLASS, binarize={"top_k_list": {"values": [2]}}), spec=_SPARSE),
        "classifier",
    ),
    "micro average": Case(
        _config(_metrics(*_OF_CLASS, aggregate={"micro_average": True}), spec=_SPARSE),
        "classifier",
    ),
    "macro average": Case(
        _config(
            _metrics(
                *_OF_CLASS,
                aggregate={"macro_average": True, "class_weights": {0: 1.0, 1: 1.0, 2: 2.0}},
            ),
            spec=_SPARSE,
        ),
        "classifier",
    ),
    "weighted macro average": Case(
        _config(
            _metrics(
                *_OF_CLASS,
                aggregate={
                    "weighted_macro_average": True,
                    "class_weights": {0: 1.0, 1: 1.0, 2: 1.0},
                },
            ),
            spec=_SPARSE,
        ),
        "classifier",
    ),
    "label made by a signature": Case(
        _config(
            _metrics(*_FEW),
            spec={"label_key": "is_good", "preprocessing_function_names": ["transform_features"]},
            slicing_specs=[{}, {"feature_keys": ["size_bucket", "town"]}],
        ),
        "labelling_scorer",
    ),
    "label made by a known signature": Case(
        _config(
            _metrics(*_FEW),
            spec={"label_key": "is_good"},
            slicing_specs=[{}, {"feature_keys": ["size_bucket"]}],
        ),
        "labelling_scorer",
    ),
    "labels in text": Case(
        _config(
            _metrics("SparseCategoricalAccuracy", "ExampleCount"),
            _metrics("AUC", binarize={"class_ids": {"values": [0, 1, 2]}}),
            spec={"label_key": "species"},
        ),
        "naming_classifier",
    ),
    "two outputs": Case(
        _config(
            _metrics("BinaryAccuracy", "AUC", "ExampleCount", output_names=["likes"]),
            _metrics("MeanSquaredError", "MeanPrediction", output_names=["minutes"]),
            spec={"label_keys": {"likes": "label", "minutes": "minutes"}},
        ),
        "two_headed",
    ),
    "two outputs with weights": Case(
        _config(
            _metrics("BinaryAccuracy", "ExampleCount", output_names=["likes"]),
            _metrics("MeanSquaredError", output_names=["minutes"]),
            spec={
                "label_keys": {"likes": "label", "minutes": "minutes"},
                "example_weight_keys": {"likes": "weight", "minutes": "size"},
            },
        ),
        "two_headed",
    ),
    "regression": Case(
        _config(
            _metrics(
                *("MeanSquaredError", "RootMeanSquaredError", "MeanAbsoluteError"),
                *("MeanAbsolutePercentageError", "MeanSquaredLogarithmicError"),
                *("SquaredPearsonCorrelation", "ExampleCount", *_MEANS),
            ),
            spec={"label_key": "minutes"},
        ),
        "regressor",
    ),
    "fed features": Case(_config(_metrics(*_FEW)), "dense_fed"),
    # Signatures take sparse tensors in parts that have no names of features: Keras 2 alone is fed.
    "fed sparse features": Case(
        _config(_metrics(*_FEW), slicing_specs=[{}, {"feature_keys": ["tags"]}]),
        "keras_2_sparse",
        schema=_SCHEMA,
        legacy_keras=True,
    ),
    "a label's range in the schema": Case(
        _config(_metrics("CalibrationPlot", "ExampleCount"), spec={"label_key": "minutes"}),
        "regressor",
        schema=_SCHEMA,
    ),
    "candidate and baseline": Case(
        _config(
            {
                "metrics": [
                    *_metrics("ExampleCount", "Calibration", *_PLOTS)["metrics"],
                    _threshold(
                        "AUC",
                        value_threshold={"lower_bound": 0.5},
                        change_threshold={"absolute": -0.01, "direction": "HIGHER_IS_BETTER"},
                    ),
                    _threshold(
                        "BinaryAccuracy",
                        change_threshold={"relative": 0.5, "direction": "HIGHER_IS_BETTER"},
                    ),
                ]
            }
        ),
        "scorer",
        "worse_scorer",
    ),
    "good enough": Case(
        _config(
            {"metrics": [_threshold("AUC", value_threshold={"lower_bound": 0.5})]},
        ),
        "scorer",
    ),
    "not good enough in a slice": Case(
        _config(
            {
                "metrics": [
                    {
                        "class_name": "AUC",
                        "per_slice_thresholds": [
                            {
                                "slicing_specs": [{"feature_keys": ["town"]}],
                                "threshold": {"value_threshold": {"lower_bound": 0.99}},
                            }
                        ],
                    },
                    _threshold("Calibration", value_threshold={"upper_bound": 0.1}),
                ]
            },
        ),
        "scorer",
    ),
    "predictions in examples": Case(
        _config(_metrics(*_FEW), spec={"label_key": "label", "prediction_key": "x"}), None
    ),
    "an Estimator's predict": Case(
        _config(_metrics(*_FEW), spec={"label_key": "label", "prediction_key": "logistic"}),
        "estimator_like",
    ),
    "an Estimator's predict without a key": Case(_config(_metrics(*_FEW)), "estimator_like"),
    "an Estimator's classes": Case(
        _config(
            _metrics("SparseCategoricalAccuracy", "ExampleCount"),
            spec={"label_key": "label", "signature_name": "serving_default"},
        ),
        "estimator_like",
    ),
    "Keras 3": Case(_config(_metrics(*_FEW)), "keras_3"),
    "Keras 2 as a SavedModel": Case(_config(_metrics(*_FEW)), "keras_2_alone"),
    "Keras 2": Case(_config(_metrics(*_FEW)), "keras_2", legacy_keras=True),
    "Keras 2 with a signature": Case(
        _config(_metrics(*_FEW), spec={"label_key": "label", "signature_name": "serving_default"}),
        "keras_2",
        legacy_keras=True,
    ),
    "LiteRT": Case(
        _config(
            _metrics(*_FEW, "MeanPrediction"),
            spec={"label_key": "label", "model_type": "tf_lite", "example_weight_key": "weight"},
        ),
        "litert_scorer",
    ),
    "LiteRT with a baseline": Case(
        _config(
            {
                "metrics": [
                    _threshold(
                        "AUC",
                        value_threshold={"lower_bound": 0.5},
                        change_threshold={"absolute": 0.0, "direction": "HIGHER_IS_BETTER"},
                    ),
                    _threshold(
                        "MeanPrediction",
                        value_threshold={"upper_bound": 0.6},
                        change_threshold={"absolute": -0.2, "direction": "LOWER_IS_BETTER"},
                    ),
                ]
            },
            spec={"label_key": "label", "model_type": "tf_lite"},
        ),
        "litert_scorer",
        "worse_litert_scorer",
    ),
    # TFMA knows outputs by their tensors.
    "LiteRT with two outputs": Case(
        _config(
            _metrics("SparseCategoricalAccuracy", "SparseCategoricalCrossentropy"),
            spec={
                "label_key": "class_number",
                "model_type": "tf_lite",
                "prediction_key": "PartitionedCall:1",
            },
        ),
        "litert_classifier",
    ),
    "compiled metrics alone": Case(_config(), "compiled", legacy_keras=True),
    "compiled metrics of weighted examples": Case(
        _config(
            _metrics("ExampleCount", "BinaryAccuracy", "AUC"),
            spec={"label_key": "label", "example_weight_key": "weight"},
        ),
        "compiled",
        legacy_keras=True,
    ),
    # TFMA does not know what a model of Keras 3 was compiled with; of Keras 2 it does.
    "compiled metrics of Keras 3": Case(
        _config(
            _metrics("ExampleCount"),
            spec={"label_key": "label", "example_weight_key": "weight"},
        ),
        "compiled_keras_3",
        legacy_keras=True,
        twin="compiled",
    ),
    "compiled metrics left out": Case(
        _config(_metrics(*_FEW), options={"include_default_metrics": False}),
        "compiled",
        legacy_keras=True,
    ),
    "compiled metrics of a generic model": Case(
        _config(_metrics(*_FEW), spec={"label_key": "label", "model_type": "tf_generic"}),
        "compiled",
        legacy_keras=True,
    ),
    "compiled metrics by signature": Case(
        _config(spec={"label_key": "label", "signature_name": "serving_default"}),
        "compiled",
        legacy_keras=True,
    ),
    "thresholds on compiled metrics": Case(
        _config(
            {
                "metrics": [{"class_name": "ExampleCount"}],
                "thresholds": {
                    "accuracy": {
                        "value_threshold": {"lower_bound": 0.1},
                        "change_threshold": {"absolute": 0.2, "direction": "HIGHER_IS_BETTER"},
                    },
                    "loss": {"value_threshold": {"upper_bound": 0.3}},
                    "auc": {"value_threshold": {"lower_bound": 0.01}},
                },
                "per_slice_thresholds": {
                    "mae": {
                        "thresholds": [
                            {
                                "slicing_specs": [{"feature_keys": ["town"]}],
                                "threshold": {"value_threshold": {"upper_bound": 0.2}},
                            }
                        ]
                    }
                },
            }
        ),
        "compiled",
        "compiled_differently",
        legacy_keras=True,
    ),
    "compiled metrics of classes": Case(
        _config(spec=_SPARSE), "compiled_classifier", legacy_keras=True
    ),
    "compiled metrics of two outputs": Case(
        _config(
            spec={
                "label_keys": {"likes": "label", "minutes": "minutes"},
                "example_weight_keys": {"likes": "weight", "minutes": "size"},
            },
        ),
        "compiled_two_headed",
        legacy_keras=True,
    ),
    "label made by a layer": Case(
        _config(
            _metrics(*_FEW),
            spec={"label_key": "is_good", "preprocessing_function_names": ["transform_layer"]},
        ),
        "keras_2",
        legacy_keras=True,
    ),
}
