"""Metrics as objects, and the metrics specs that are made of them: `tfma.metrics`."""

from __future__ import annotations

import inspect
import json
from collections.abc import Mapping, Sequence
from typing import Any

from trainwright._suggest import did_you_mean
from trainwright.evaluation.metrics.arguments import request_metric
from trainwright.evaluation.metrics.registry import METRIC_CLASSES
from trainwright.proto.tfma import config_pb2

Metrics = Sequence[Any] | Mapping[str, Sequence[Any]]

# How finely TFMA's default specs look at curves.
_DEFAULT_THRESHOLDS = 10000


class Metric:
    """A metric with its arguments, which are checked; see `specs_from_metrics`.

    Each metric that an Evaluator computes has a class here.

    Example: `AUC(name="auc", num_thresholds=1000).get_config()`
    """

    def __init__(self, **arguments: Any) -> None:
        name = type(self).__name__
        if name not in METRIC_CLASSES:
            raise TypeError(
                f"{name} is not one of the metrics that are computed{did_you_mean(name, NAMES)}"
            )
        request_metric(name, METRIC_CLASSES[name], arguments)
        self._arguments = arguments

    @property
    def name(self) -> str:
        """What results call it."""
        default: str = METRIC_CLASSES[type(self).__name__].default_name
        given: str = self._arguments.get("name", default)
        return given

    def get_config(self) -> dict[str, Any]:
        """The arguments."""
        return dict(self._arguments)

    def __repr__(self) -> str:
        given = ", ".join(f"{name}={value!r}" for name, value in self._arguments.items())
        return f"{type(self).__name__}({given})"


NAMES = tuple(sorted(METRIC_CLASSES))
_CLASSES = {
    name: type(name, (Metric,), {"__doc__": f"The metric {name}: see docs/metrics.md."})
    for name in NAMES
}
globals().update(_CLASSES)


def config_from_metric(metric: Any) -> config_pb2.MetricConfig:
    """A metric of here or of Keras, or a loss of Keras, as the config of an EvalConfig."""
    if isinstance(metric, config_pb2.MetricConfig):
        return metric
    if isinstance(metric, Metric):
        return _make(type(metric).__name__, **metric.get_config())
    if not callable(getattr(metric, "get_config", None)):
        raise TypeError(
            f"unknown metric type {type(metric).__name__}: {metric!r}. Expected a metric of "
            "tfma.metrics, or a metric or a loss of Keras."
        )
    arguments = _without_defaults(type(metric), metric.get_config())
    config = _make(type(metric).__name__, **arguments)
    config.module = _public_module(type(metric))
    return config


def _make(class_name: str, **arguments: Any) -> config_pb2.MetricConfig:
    text = json.dumps(arguments, sort_keys=True) if arguments else ""
    return config_pb2.MetricConfig(class_name=class_name, config=text)


def _without_defaults(metric_class: type, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Without what says nothing: arguments at their defaults, and the precision."""
    parameters = inspect.signature(metric_class).parameters
    return {
        name: value
        for name, value in arguments.items()
        if name == "name"
        or (
            name in parameters
            and name not in ("dtype", "reduction")
            and value != parameters[name].default
        )
    }


def _public_module(metric_class: type) -> str:
    """Keras' public module of a class that is within Keras; another class stays where it is."""
    module = metric_class.__module__
    if module.split(".")[0] not in ("keras", "tf_keras"):
        return module
    bases = [base.__name__ for base in metric_class.__mro__]
    return "tf_keras.losses" if "Loss" in bases and "Metric" not in bases else "tf_keras.metrics"


def specs_from_metrics(
    metrics: Metrics | None = None,
    unweighted_metrics: Metrics | None = None,
    model_names: Sequence[str] | None = None,
    output_names: Sequence[str] | None = None,
    output_weights: Mapping[str, float] | None = None,
    binarize: config_pb2.BinarizationOptions | None = None,
    aggregate: config_pb2.AggregationOptions | None = None,
    query_key: str | None = None,
    include_example_count: bool | None = None,
    include_weighted_example_count: bool | None = None,
) -> list[config_pb2.MetricsSpec]:
    """Metrics specs of metric objects, with counts of the examples.

    Args:
        metrics: Of `tfma.metrics` or Keras; by output, if they differ.
        unweighted_metrics: Those that do not weight examples.
        model_names: The models; by default all.
        output_names: The outputs of a model.
        output_weights: Weights of the outputs in an average over them.
        binarize: Classes that are looked at one by one.
        aggregate: How they are put together.
        query_key: Refused by the Evaluator.
        include_example_count: Whether ExampleCount is added; it is by default.
        include_weighted_example_count: Whether WeightedExampleCount is; it is by default.

    Example: `EvalConfig(metrics_specs=specs_from_metrics([AUC(), Precision(top_k=2)]))`
    """
    if isinstance(metrics, Mapping) or isinstance(unweighted_metrics, Mapping):
        return _specs_by_output(
            metrics,
            unweighted_metrics,
            output_names,
            include_example_count,
            model_names=model_names,
            binarize=binarize,
            aggregate=aggregate,
            include_weighted_example_count=include_weighted_example_count,
        )
    outputs: dict[str, Any] = {"output_names": output_names, "output_weights": output_weights}
    specs = []
    if include_example_count in (None, True):
        specs.append(_spec(["ExampleCount"], model_names, weighted=False))
    if include_weighted_example_count in (None, True):
        specs.append(_spec(["WeightedExampleCount"], model_names, weighted=True, **outputs))
    options = {**outputs, "binarize": binarize, "aggregate": aggregate, "query_key": query_key}
    if metrics:
        specs.append(_spec(metrics, model_names, **options))
    if unweighted_metrics:
        specs.append(_spec(unweighted_metrics, model_names, weighted=False, **options))
    return specs


def _specs_by_output(
    metrics: Any,
    unweighted_metrics: Any,
    output_names: Sequence[str] | None,
    include_example_count: bool | None,
    **options: Any,
) -> list[config_pb2.MetricsSpec]:
    if output_names:
        raise ValueError(
            "metrics cannot be a dict when output_names is used: "
            f"metrics={metrics}, output_names={output_names}"
        )
    given = [one for one in (metrics, unweighted_metrics) if one]
    if not all(isinstance(one, Mapping) for one in given):
        raise ValueError(
            "metrics and unweighted_metrics must both be either dicts or lists: "
            f"metrics={metrics}, unweighted_metrics={unweighted_metrics}"
        )
    specs = []
    for name in sorted({*(metrics or ()), *(unweighted_metrics or ())}):
        specs += specs_from_metrics(
            (metrics or {}).get(name),
            unweighted_metrics=(unweighted_metrics or {}).get(name),
            output_names=[name],
            include_example_count=include_example_count,
            **options,
        )
        # Examples are the same for all outputs.
        include_example_count = False
    return specs


def _spec(
    metrics: Sequence[Any],
    model_names: Sequence[str] | None,
    *,
    weighted: bool | None = None,
    **options: Any,
) -> config_pb2.MetricsSpec:
    configs = [_make(one) if isinstance(one, str) else config_from_metric(one) for one in metrics]
    weights = None
    if weighted is not None:
        weights = config_pb2.ExampleWeightOptions(weighted=weighted, unweighted=not weighted)
    return config_pb2.MetricsSpec(
        metrics=configs, model_names=model_names, example_weights=weights, **options
    )


def default_regression_specs(
    model_names: Sequence[str] | None = None,
    output_names: Sequence[str] | None = None,
    output_weights: Mapping[str, float] | None = None,
    loss_functions: Sequence[Any] | None = None,
    min_value: float | None = None,
    max_value: float | None = None,
) -> list[config_pb2.MetricsSpec]:
    """Specs of what is usually looked at for regressions; the range is that of predictions."""
    metrics = [
        _make("Accuracy", name="accuracy"),
        _make("MeanLabel", name="mean_label"),
        _make("MeanPrediction", name="mean_prediction"),
        _make("Calibration", name="calibration"),
        *(loss_functions or [_make("MeanSquaredError", name="mse")]),
    ]
    if min_value is not None and max_value is not None:
        range_of = {"left": min_value, "right": max_value}
        metrics.append(_make("CalibrationPlot", name="calibration_plot", **range_of))
    return specs_from_metrics(
        metrics, model_names=model_names, output_names=output_names, output_weights=output_weights
    )


def default_binary_classification_specs(
    model_names: Sequence[str] | None = None,
    output_names: Sequence[str] | None = None,
    output_weights: Mapping[str, float] | None = None,
    binarize: config_pb2.BinarizationOptions | None = None,
    aggregate: config_pb2.AggregationOptions | None = None,
    include_loss: bool = True,
) -> list[config_pb2.MetricsSpec]:
    """Specs of what is usually looked at for two classes."""
    thresholds = {"num_thresholds": _DEFAULT_THRESHOLDS}
    metrics = [
        _make("BinaryAccuracy", name="binary_accuracy"),
        _make("AUC", name="auc", **thresholds),
        # The name is spelt as Estimators spell it.
        _make("AUC", name="auc_precison_recall", curve="PR", **thresholds),
        _make("Precision", name="precision"),
        _make("Recall", name="recall"),
        _make("MeanLabel", name="mean_label"),
        _make("MeanPrediction", name="mean_prediction"),
        _make("Calibration", name="calibration"),
        _make("ConfusionMatrixPlot", name="confusion_matrix_plot"),
        _make("CalibrationPlot", name="calibration_plot"),
    ]
    if include_loss:
        metrics.append(_make("BinaryCrossentropy", name="loss"))
    return specs_from_metrics(
        metrics,
        model_names=model_names,
        output_names=output_names,
        output_weights=output_weights,
        binarize=binarize,
        aggregate=aggregate,
    )


def default_multi_class_classification_specs(
    model_names: Sequence[str] | None = None,
    output_names: Sequence[str] | None = None,
    output_weights: Mapping[str, float] | None = None,
    binarize: config_pb2.BinarizationOptions | None = None,
    aggregate: config_pb2.AggregationOptions | None = None,
    sparse: bool = True,
) -> list[config_pb2.MetricsSpec]:
    """Specs of what is usually looked at for several classes; labels are numbers if `sparse`."""
    kind = "SparseCategorical" if sparse else "Categorical"
    metrics = [
        _make(f"{kind}Crossentropy", name="loss"),
        _make(f"{kind}Accuracy", name="accuracy"),
        _make("MultiClassConfusionMatrixPlot"),
    ]
    of_classes = None
    if binarize is not None:
        for top_k in binarize.top_k_list.values:
            metrics.append(_make("Precision", name="precision", top_k=top_k))
            metrics.append(_make("Recall", name="recall", top_k=top_k))
        of_classes = config_pb2.BinarizationOptions()
        of_classes.CopyFrom(binarize)
        of_classes.ClearField("top_k_list")
    specs = specs_from_metrics(
        metrics, model_names=model_names, output_names=output_names, output_weights=output_weights
    )
    return specs + default_binary_classification_specs(
        model_names=model_names,
        output_names=output_names,
        output_weights=output_weights,
        binarize=of_classes,
        aggregate=aggregate or config_pb2.AggregationOptions(micro_average=True),
    )
