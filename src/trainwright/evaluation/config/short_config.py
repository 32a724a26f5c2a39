"""eval_config: an EvalConfig in a few lines, for one label, slices and thresholds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from trainwright._suggest import did_you_mean
from trainwright.evaluation.config.eval_config import (
    EvalConfig,
    GenericChangeThreshold,
    GenericValueThreshold,
    MetricConfig,
    MetricDirection,
    MetricsSpec,
    MetricThreshold,
    ModelSpec,
    SlicingSpec,
)
from trainwright.evaluation.metrics.arguments import snake_case
from trainwright.evaluation.metrics.registry import METRIC_CLASSES

# The difference that rounding may make between two evaluations of one model.
_ROUNDING = 1e-10


def eval_config(
    label: str,
    *,
    slices: Sequence[str | Sequence[str]] = (),
    metrics: Sequence[str | MetricConfig] = (),
    at_least: Mapping[str, float] | None = None,
    at_most: Mapping[str, float] | None = None,
    no_worse_than_baseline: bool = False,
    weight: str | None = None,
    label_made_by: str | None = None,
) -> EvalConfig:
    """An EvalConfig for a model with one output, as an Evaluator takes it.

    Metrics are named by their class or in snake case: "AUC", "auc". A metric with a bound need not
    be listed. Bounds hold for every slice.

    Args:
        label: The feature that is the label. A signature `transformed_labels` of the model, as
            `trainwright.training` saves it, may make it from the examples.
        slices: Features by whose values examples are told apart; a list for a combination.
        metrics: What is computed beside the number of examples and what has a bound.
        at_least: Lower bounds, by metric: more is better.
        at_most: Upper bounds, by metric: less is better.
        no_worse_than_baseline: The metrics with bounds must not be worse than the baseline's.
        weight: The feature that says how much an example counts.
        label_made_by: A signature of another name that makes the label: "transform_features".

    Example:
        >>> config = eval_config("species", slices=["island"], at_least={"auc": 0.7})
        >>> [metric.class_name for metric in config.metrics_specs[0].metrics]
        ['ExampleCount', 'AUC']
    """
    lower = _by_class(at_least, "at_least")
    upper = _by_class(at_most, "at_most")
    if no_worse_than_baseline and not lower and not upper:
        raise ValueError(
            "no_worse_than_baseline compares the metrics that have bounds, and none has one: pass "
            "for example at_least={'sparse_categorical_accuracy': 0.6}."
        )
    both = sorted(lower.keys() & upper.keys())
    if both and no_worse_than_baseline:
        raise ValueError(f"{both[0]} is in at_least and at_most: which values are better?")
    configs = {"ExampleCount": MetricConfig("ExampleCount")}
    for metric in metrics:
        config = metric if isinstance(metric, MetricConfig) else MetricConfig(_class_name(metric))
        configs[config.class_name] = config
    for name in (*lower, *upper):
        configs.setdefault(name, MetricConfig(name))
    thresholds = {
        snake_case(name): _threshold(lower.get(name), upper.get(name), no_worse_than_baseline)
        for name in dict.fromkeys((*lower, *upper))
    }
    return EvalConfig(
        model_specs=[
            ModelSpec(
                label_key=label,
                example_weight_key=weight or "",
                preprocessing_function_names=[label_made_by] if label_made_by else [],
            )
        ],
        slicing_specs=[SlicingSpec(), *map(_slicing_spec, _check_list(slices))],
        metrics_specs=[MetricsSpec(metrics=list(configs.values()), thresholds=thresholds)],
    )


def _check_list(slices: Sequence[str | Sequence[str]]) -> Sequence[str | Sequence[str]]:
    if isinstance(slices, str):
        raise TypeError(f"slices is a list of features, got {slices!r}: write slices=[{slices!r}].")
    return slices


def _slicing_spec(features: str | Sequence[str]) -> SlicingSpec:
    return SlicingSpec(feature_keys=[features] if isinstance(features, str) else list(features))


def _by_class(bounds: Mapping[str, float] | None, argument: str) -> dict[str, float]:
    for name, bound in (bounds or {}).items():
        if isinstance(bound, bool) or not isinstance(bound, (int, float)):
            raise TypeError(f"{argument}[{name!r}] must be a number, got {bound!r}.")
    return {_class_name(name): float(bound) for name, bound in (bounds or {}).items()}


def _class_name(name: str) -> str:
    """The class of a metric that is named in snake case; classes of Keras' own as they are."""
    known = {snake_case(known): known for known in METRIC_CLASSES}
    if name in known:
        return known[name]
    if name in METRIC_CLASSES or not name.islower():
        return name
    raise ValueError(f"There is no metric {name!r}{did_you_mean(name, known)}")


def _threshold(lower: float | None, upper: float | None, compared: bool) -> MetricThreshold:
    direction = (
        MetricDirection.LOWER_IS_BETTER if lower is None else MetricDirection.HIGHER_IS_BETTER
    )
    change = GenericChangeThreshold(
        direction=direction, absolute=_ROUNDING if lower is None else -_ROUNDING
    )
    return MetricThreshold(
        value_threshold=GenericValueThreshold(lower_bound=lower, upper_bound=upper),
        change_threshold=change if compared else None,
    )
