"""EvalConfig, typed: what an evaluation computes and when a model is good enough.

Names and fields are those of TFMA's messages; values are what one would write first: a number for a
bound, a list of classes, a dictionary of a metric's arguments.

    EvalConfig(
        model_specs=[ModelSpec(label_key="species")],
        slicing_specs=[SlicingSpec(), SlicingSpec(feature_keys=["island"])],
        metrics_specs=[
            MetricsSpec(
                metrics=[
                    MetricConfig(
                        "SparseCategoricalAccuracy",
                        threshold=MetricThreshold(
                            value_threshold=GenericValueThreshold(lower_bound=0.6),
                            change_threshold=GenericChangeThreshold(
                                absolute=-0.01, direction=MetricDirection.HIGHER_IS_BETTER
                            ),
                        ),
                    )
                ]
            )
        ],
    )
"""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


class MetricDirection(enum.IntEnum):
    """Which of two values of a metric is the better one."""

    UNKNOWN = 0
    LOWER_IS_BETTER = 1
    HIGHER_IS_BETTER = 2


class ConfidenceIntervalMethod(enum.IntEnum):
    """How confidence intervals are found."""

    UNKNOWN_CONFIDENCE_INTERVAL_METHOD = 0
    POISSON_BOOTSTRAP = 1
    JACKKNIFE = 2


@dataclass(frozen=True)
class PaddingOptions:
    """What fills up labels and predictions that are shorter than others; one kind of each."""

    label_int_padding: int | None = None
    label_float_padding: float | None = None
    prediction_int_padding: int | None = None
    prediction_float_padding: float | None = None


@dataclass(frozen=True, kw_only=True)
class ModelSpec:
    """A model that is evaluated, and what of the examples it is compared with.

    One is enough: where a baseline is given, it is evaluated in the same way.

    Args:
        name: Of the model; only needed where `metrics_specs` tell models apart.
        model_type: "tf_keras", "tf_generic", "tf_lite", "onnx" and the like; found out if not
            given.
        signature_name: Which signature of a SavedModel or LiteRT model gives the predictions.
        preprocessing_function_names: Attributes of the model that are called before it, such as
            "tft_layer".
        label_key: The feature or transformed feature that is the label.
        label_keys: The same for each output of a model that has several.
        prediction_key: Which of several outputs is the prediction; without a model, the feature
            that holds it.
        prediction_keys: The same for each output.
        example_weight_key: The feature that says how much an example counts.
        example_weight_keys: The same for each output.
        is_baseline: Whether this is the model that the other is compared with.
        padding_options: What fills up rows of unequal length.
        inference_batch_size: How many examples the model is given at once.

    Example:
        >>> ModelSpec(label_key="tips", preprocessing_function_names=["tft_layer"]).label_key
        'tips'
    """

    name: str = ""
    model_type: str = ""
    signature_name: str = ""
    preprocessing_function_names: Sequence[str] = ()
    label_key: str = ""
    label_keys: Mapping[str, str] = field(default_factory=dict)
    prediction_key: str = ""
    prediction_keys: Mapping[str, str] = field(default_factory=dict)
    example_weight_key: str = ""
    example_weight_keys: Mapping[str, str] = field(default_factory=dict)
    is_baseline: bool = False
    padding_options: PaddingOptions | None = None
    inference_batch_size: int = 0


@dataclass(frozen=True, kw_only=True)
class SlicingSpec:
    """Slices of one kind: one for each combination of the values of some features.

    Args:
        feature_keys: The features by whose values examples are told apart.
        feature_values: Only examples with these values count.

    `SlicingSpec()` is one slice of all examples; `SlicingSpec(feature_keys=["hour"],
    feature_values={"day": 7})` a slice for each hour of the seventh day.
    """

    feature_keys: Sequence[str] = ()
    feature_values: Mapping[str, str | int | float] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class CrossSlicingSpec:
    """Pairs of slices whose metrics are compared: the baseline's minus the other's.

    Args:
        baseline_spec: The slices that others are compared with.
        slicing_specs: The others; all slices there are if none is given.
    """

    baseline_spec: SlicingSpec
    slicing_specs: Sequence[SlicingSpec] = ()


@dataclass(frozen=True, kw_only=True)
class GenericValueThreshold:
    """Where a metric must lie. Both bounds are allowed values."""

    lower_bound: float | None = None
    upper_bound: float | None = None


@dataclass(frozen=True, kw_only=True)
class GenericChangeThreshold:
    """How much better than the baseline's a metric must be, or how much worse it may be.

    With HIGHER_IS_BETTER the change must be at least this, with LOWER_IS_BETTER at most.

    Args:
        absolute: Compared with candidate minus baseline.
        relative: Compared with that divided by the baseline's value.
        direction: Which values are the better ones.

    Example: at most one hundredth less than the baseline:

        GenericChangeThreshold(absolute=-0.01, direction=MetricDirection.HIGHER_IS_BETTER)
    """

    absolute: float | None = None
    relative: float | None = None
    direction: MetricDirection = MetricDirection.UNKNOWN


@dataclass(frozen=True, kw_only=True)
class MetricThreshold:
    """What a metric must satisfy: both, if both are given.

    Without a baseline, as in the first run of a pipeline, the change is not looked at.
    """

    value_threshold: GenericValueThreshold | None = None
    change_threshold: GenericChangeThreshold | None = None


@dataclass(frozen=True, kw_only=True)
class PerSliceMetricThreshold:
    """A threshold for slices of some kinds, each of which must have examples."""

    slicing_specs: Sequence[SlicingSpec]
    threshold: MetricThreshold


@dataclass(frozen=True)
class PerSliceMetricThresholds:
    """The thresholds of one metric; a list of them says the same."""

    thresholds: Sequence[PerSliceMetricThreshold]


@dataclass(frozen=True, kw_only=True)
class CrossSliceMetricThreshold:
    """A threshold for differences between slices."""

    cross_slicing_specs: Sequence[CrossSlicingSpec]
    threshold: MetricThreshold


@dataclass(frozen=True)
class CrossSliceMetricThresholds:
    """The thresholds of one metric; a list of them says the same."""

    thresholds: Sequence[CrossSliceMetricThreshold]


@dataclass(frozen=True)
class MetricConfig:
    """A metric, and what it must satisfy.

    Args:
        class_name: Of TFMA or Keras, such as "AUC".
        module: Where the class is, if it is one of your own.
        config: The arguments of the class: a dictionary, or its JSON.
        threshold: For every slice.
        per_slice_thresholds: For slices of some kinds.
        cross_slice_thresholds: For differences between slices.

    Example:
        >>> MetricConfig("AUC", config={"num_thresholds": 1000}).class_name
        'AUC'
    """

    class_name: str
    module: str = ""
    config: Mapping[str, Any] | str = ""
    threshold: MetricThreshold | None = None
    per_slice_thresholds: Sequence[PerSliceMetricThreshold] = ()
    cross_slice_thresholds: Sequence[CrossSliceMetricThreshold] = ()


@dataclass(frozen=True, kw_only=True)
class BinarizationOptions:
    """For which classes a multi-class prediction is looked at as a binary one.

    Args:
        class_ids: Each of these classes against all others.
        k_list: The class with the k-th highest prediction.
        top_k_list: The k classes with the highest predictions.
    """

    class_ids: Sequence[int] = ()
    k_list: Sequence[int] = ()
    top_k_list: Sequence[int] = ()


@dataclass(frozen=True, kw_only=True)
class AggregationOptions:
    """How the metrics of classes are put together: one of three averages.

    Args:
        micro_average: Over all pairs of example and class.
        macro_average: Over the metrics of the classes.
        weighted_macro_average: The same, each class counting by the weight of its examples.
        class_weights: The classes that a macro average is over, and how much each counts.
        top_k_list: Only the k classes with the highest predictions are looked at.
    """

    micro_average: bool | None = None
    macro_average: bool | None = None
    weighted_macro_average: bool | None = None
    class_weights: Mapping[int, float] = field(default_factory=dict)
    top_k_list: Sequence[int] = ()


@dataclass(frozen=True, kw_only=True)
class ExampleWeightOptions:
    """Whether metrics count examples by their weights, as equals, or are computed both ways."""

    weighted: bool = False
    unweighted: bool = False


@dataclass(frozen=True, kw_only=True)
class MetricsSpec:
    """Metrics that are computed for the same models, outputs and classes.

    Args:
        metrics: What is computed.
        model_names: For which models; for all if none is named.
        output_names: For which outputs of models that have several.
        output_weights: An average over outputs is computed too, with these weights.
        binarize: Classes that are looked at one by one.
        aggregate: An average over classes.
        example_weights: By default examples count by their weights where a model spec names some.
        query_key: The feature whose values group examples, for ranking metrics.
        thresholds: By the name of a metric, also of one that comes with the model.
        per_slice_thresholds: The same for slices of some kinds.
        cross_slice_thresholds: The same for differences between slices.
    """

    metrics: Sequence[MetricConfig] = ()
    model_names: Sequence[str] = ()
    output_names: Sequence[str] = ()
    output_weights: Mapping[str, float] = field(default_factory=dict)
    binarize: BinarizationOptions | None = None
    aggregate: AggregationOptions | None = None
    example_weights: ExampleWeightOptions | None = None
    query_key: str = ""
    thresholds: Mapping[str, MetricThreshold] = field(default_factory=dict)
    per_slice_thresholds: Mapping[
        str, Sequence[PerSliceMetricThreshold] | PerSliceMetricThresholds
    ] = field(default_factory=dict)
    cross_slice_thresholds: Mapping[
        str, Sequence[CrossSliceMetricThreshold] | CrossSliceMetricThresholds
    ] = field(default_factory=dict)


@dataclass(frozen=True)
class ConfidenceIntervalOptions:
    """How confidence intervals are found."""

    method: ConfidenceIntervalMethod = ConfidenceIntervalMethod.UNKNOWN_CONFIDENCE_INTERVAL_METHOD


@dataclass(frozen=True, kw_only=True)
class Options:
    """What holds for the whole evaluation.

    Args:
        include_default_metrics: Whether the metrics that come with the model are computed; they
            are if nothing is said.
        compute_confidence_intervals: Whether each metric gets an interval. A threshold inside it
            is undecided, and the model is not blessed.
        confidence_intervals: How they are found.
        min_slice_size: Smaller slices are left out.
        disabled_outputs: What is not written; "eval_config" can be left out.
    """

    include_default_metrics: bool | None = None
    compute_confidence_intervals: bool | None = None
    confidence_intervals: ConfidenceIntervalOptions | None = None
    min_slice_size: int | None = None
    disabled_outputs: Sequence[str] = ()


@dataclass(frozen=True, kw_only=True)
class EvalConfig:
    """All that an evaluation is told.

    Args:
        model_specs: The model; nothing needs to be said twice for a baseline.
        slicing_specs: The slices that metrics are computed for; all examples if none is given.
        cross_slicing_specs: Which slices are compared with which.
        metrics_specs: The metrics and their thresholds. Without a threshold no model is blessed.
        options: What holds for the whole evaluation.
    """

    model_specs: Sequence[ModelSpec] = ()
    slicing_specs: Sequence[SlicingSpec] = ()
    cross_slicing_specs: Sequence[CrossSlicingSpec] = ()
    metrics_specs: Sequence[MetricsSpec] = ()
    options: Options | None = None
