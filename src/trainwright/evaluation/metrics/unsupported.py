"""TFMA's metrics that Trainwright does not compute, and what is near to them."""

from __future__ import annotations

_OBJECT_DETECTION = "Of a detector's boxes nothing is computed here."
_RANKING = "Nothing is computed here of the examples of a query together."
_TEXT = "Metrics of text are not computed here; a Keras metric of your own can, by module."
_ATTRIBUTIONS = "Of attributions nothing is computed here."
_TWO_MODELS = (
    "Two models are compared by the change of each metric: a change_threshold, and the metrics of "
    "both side by side."
)
_SAMPLES = (
    "Examples are not sampled here; FalseNegatives and FalsePositives with slicing_specs say for "
    "which values of a feature predictions are wrong."
)

UNSUPPORTED_METRICS: dict[str, str] = {
    "Bleu": _TEXT,
    "BooleanFlipRates": _TWO_MODELS,
    "COCOAveragePrecision": _OBJECT_DETECTION,
    "COCOAverageRecall": _OBJECT_DETECTION,
    "COCOMeanAveragePrecision": _OBJECT_DETECTION,
    "COCOMeanAverageRecall": _OBJECT_DETECTION,
    "ExactMatch": "Accuracy says how often labels and predictions are equal, of numbers.",
    "FalseNegativeFeatureSampler": _SAMPLES,
    "FalsePositiveFeatureSampler": _SAMPLES,
    "Mean": "MeanLabel and MeanPrediction are here; statistics of features are StatisticsGen's.",
    "MeanAbsoluteAttributions": _ATTRIBUTIONS,
    "MeanAttributions": _ATTRIBUTIONS,
    "MinLabelPosition": _RANKING,
    "ModelCosineSimilarity": _TWO_MODELS,
    "NDCG": _RANKING,
    "NegToNegFlipRate": _TWO_MODELS,
    "NegToPosFlipRate": _TWO_MODELS,
    "ObjectDetectionConfusionMatrixPlot": _OBJECT_DETECTION,
    "ObjectDetectionMaxRecall": _OBJECT_DETECTION,
    "ObjectDetectionPrecision": _OBJECT_DETECTION,
    "ObjectDetectionPrecisionAtRecall": _OBJECT_DETECTION,
    "ObjectDetectionRecall": _OBJECT_DETECTION,
    "ObjectDetectionThresholdAtRecall": _OBJECT_DETECTION,
    "PosToNegFlipRate": _TWO_MODELS,
    "PosToPosFlipRate": _TWO_MODELS,
    "QueryStatistics": _RANKING,
    "Rouge": _TEXT,
    "SemanticSegmentationConfusionMatrix": "MeanIoU, of Keras, is of segmentations.",
    "SemanticSegmentationFalsePositive": "MeanIoU, of Keras, is of segmentations.",
    "SemanticSegmentationTruePositive": "MeanIoU, of Keras, is of segmentations.",
    "SetMatchPrecision": "Precision with top_k is of sets of predicted classes.",
    "SetMatchRecall": "Recall with top_k is of sets of predicted classes.",
    "SymmetricFlipRate": _TWO_MODELS,
    "SymmetricPredictionDifference": _TWO_MODELS,
    "TotalAbsoluteAttributions": _ATTRIBUTIONS,
    "TotalAttributions": _ATTRIBUTIONS,
}
