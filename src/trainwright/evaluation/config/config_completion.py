"""A config as it is evaluated: what it leaves open is filled in, what cannot work is refused."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator

from trainwright._suggest import did_you_mean
from trainwright.proto.tfma import config_pb2

_logger = logging.getLogger(__name__)

CANDIDATE_NAME = "candidate"
BASELINE_NAME = "baseline"

_MAX_MODELS = 2
_ONE_OF_TWO = (
    ("label_key", "label_keys"),
    ("prediction_key", "prediction_keys"),
    ("example_weight_key", "example_weight_keys"),
)


def complete_eval_config(
    config: config_pb2.EvalConfig, *, has_baseline: bool, has_model: bool = True
) -> config_pb2.EvalConfig:
    """A copy in which nothing is left open.

    - Model specs: one if there is none. With a baseline there are two, "candidate" and "baseline",
      which differ in nothing but their names unless the config has both. Without one, a single
      spec has no name.
    - Metrics specs name the models that they are for.
    - Slicing specs: all examples if there is none; those that cross slicing specs need are added.
    - Without a baseline, thresholds on the change from it are gone.
    - Confidence intervals that are asked for have a method: the bootstrap.

    Args:
        config: As the user gave it.
        has_baseline: Whether there is a baseline model to compare with.
        has_model: Whether there is a model; without one, predictions are read from the examples.

    Raises:
        ValueError: The config cannot be evaluated; the message says why.
    """
    completed = config_pb2.EvalConfig()
    completed.CopyFrom(config)
    if has_baseline:
        _add_baseline(completed)
    else:
        _remove_baseline(completed)
    _name_models(completed)
    _add_slices(completed)
    _choose_interval_method(completed.options)
    _check_model_specs(completed, has_model)
    _check_slicing_specs(completed)
    _check_per_slice_thresholds(completed)
    return completed


def _choose_interval_method(options: config_pb2.Options) -> None:
    methods = config_pb2.ConfidenceIntervalOptions
    if not options.compute_confidence_intervals.value:
        return
    if options.confidence_intervals.method == methods.JACKKNIFE:
        _logger.warning(
            "The eval config asks for confidence intervals by the jackknife; they are computed by "
            "the Poisson bootstrap, which is the method that there is."
        )
    options.confidence_intervals.method = methods.POISSON_BOOTSTRAP


def baseline_spec(config: config_pb2.EvalConfig) -> config_pb2.ModelSpec | None:
    """The model spec that the others are compared with."""
    return next((spec for spec in config.model_specs if spec.is_baseline), None)


def includes_default_metrics(config: config_pb2.EvalConfig) -> bool:
    """Whether the metrics that come with models are computed; they are if nothing is said."""
    options = config.options
    return not options.HasField("include_default_metrics") or options.include_default_metrics.value


def has_change_thresholds(config: config_pb2.EvalConfig) -> bool:
    """Whether some threshold is on the change from a baseline."""
    return any(
        threshold.HasField("change_threshold")
        for spec in config.metrics_specs
        for threshold in thresholds_of(spec)
    )


def thresholds_of(spec: config_pb2.MetricsSpec) -> Iterator[config_pb2.MetricThreshold]:
    """Every threshold that is somewhere in a metrics spec."""
    yield from spec.thresholds.values()
    for per_slice in spec.per_slice_thresholds.values():
        yield from (sliced.threshold for sliced in per_slice.thresholds)
    for cross_slice in spec.cross_slice_thresholds.values():
        yield from (sliced.threshold for sliced in cross_slice.thresholds)
    for metric in spec.metrics:
        if metric.HasField("threshold"):
            yield metric.threshold
        yield from (sliced.threshold for sliced in metric.per_slice_thresholds)
        yield from (sliced.threshold for sliced in metric.cross_slice_thresholds)


def _add_baseline(config: config_pb2.EvalConfig) -> None:
    if not config.model_specs:
        config.model_specs.add()
    candidate = config.model_specs[0]
    if len(config.model_specs) == 1 and not candidate.is_baseline:
        baseline = config.model_specs.add()
        baseline.CopyFrom(candidate)
        baseline.name, baseline.is_baseline = BASELINE_NAME, True
        candidate.name = candidate.name or CANDIDATE_NAME


def _remove_baseline(config: config_pb2.EvalConfig) -> None:
    candidates = [spec for spec in config.model_specs if not spec.is_baseline]
    del config.model_specs[:]
    config.model_specs.extend(candidates or [config_pb2.ModelSpec()])
    for spec in config.metrics_specs:
        for threshold in thresholds_of(spec):
            threshold.ClearField("change_threshold")


def _name_models(config: config_pb2.EvalConfig) -> None:
    only_one = len(config.model_specs) == 1
    if only_one:
        config.model_specs[0].name = ""
    names = [spec.name for spec in config.model_specs]
    for spec in config.metrics_specs:
        if only_one or not spec.model_names:
            spec.model_names[:] = names
        for name in spec.model_names:
            if name not in names:
                raise ValueError(
                    f"A metrics spec is for the model {name!r}, which is not one of the model specs"
                    f"{did_you_mean(name, names)}"
                )


def _add_slices(config: config_pb2.EvalConfig) -> None:
    if not config.slicing_specs:
        config.slicing_specs.add()
    for cross in config.cross_slicing_specs:
        for spec in (cross.baseline_spec, *cross.slicing_specs):
            if spec not in config.slicing_specs:
                config.slicing_specs.append(spec)


def _check_model_specs(config: config_pb2.EvalConfig, has_model: bool) -> None:
    specs = config.model_specs
    if len(specs) > _MAX_MODELS:
        raise ValueError(
            f"An evaluation is of at most {_MAX_MODELS} models, a candidate and a baseline, got "
            f"{len(specs)} model specs: {_quoted(spec.name for spec in specs)}."
        )
    baselines = [spec.name for spec in specs if spec.is_baseline]
    if len(baselines) == len(specs):
        raise ValueError(
            f"All model specs, {_quoted(baselines)}, are baselines: one must be the candidate. "
            "Leave out is_baseline, or the whole spec: it is added where a baseline is given."
        )
    names = [spec.name for spec in specs]
    if len(specs) > 1 and ("" in names or len(set(names)) < len(names)):
        raise ValueError(
            f"Several model specs need names of their own, got {_quoted(names)}. A second spec for "
            "the baseline is only needed where it differs from the first in more than its name."
        )
    for spec in specs:
        for one, many in _ONE_OF_TWO:
            if getattr(spec, one) and getattr(spec, many):
                raise ValueError(
                    f"A model spec has {one}={getattr(spec, one)!r} and "
                    f"{many}={dict(getattr(spec, many))!r}: expected one of them, {many} for "
                    "models with several outputs."
                )
        if spec.HasField("padding_options"):
            raise ValueError(
                "A model spec has padding_options, which are not offered: expected the same number "
                "of labels in all examples. Pad them where the examples are made."
            )
        if not has_model and not spec.prediction_key and not spec.prediction_keys:
            raise ValueError(
                "Without a model the predictions are read from the examples: say which feature "
                "holds them as the prediction_key of the model spec."
            )


def _check_slicing_specs(config: config_pb2.EvalConfig) -> None:
    for spec in _all_slicing_specs(config):
        if spec.slice_keys_sql:
            raise ValueError(
                f"A slicing spec has slice_keys_sql={spec.slice_keys_sql!r}: slicing by SQL is not "
                "offered. Slice by features with feature_keys and feature_values; add a feature to "
                "the examples if none tells them apart as you need."
            )


def _all_slicing_specs(config: config_pb2.EvalConfig) -> Iterator[config_pb2.SlicingSpec]:
    yield from config.slicing_specs
    for _, threshold in _per_slice_thresholds(config):
        yield from threshold.slicing_specs


def _check_per_slice_thresholds(config: config_pb2.EvalConfig) -> None:
    for metric, threshold in _per_slice_thresholds(config):
        if not threshold.slicing_specs:
            raise ValueError(
                f"A per-slice threshold of {metric!r} has no slicing_specs: say for which slices "
                "it is, or make it a threshold for all slices."
            )


def _per_slice_thresholds(
    config: config_pb2.EvalConfig,
) -> Iterator[tuple[str, config_pb2.PerSliceMetricThreshold]]:
    for spec in config.metrics_specs:
        for name, thresholds in spec.per_slice_thresholds.items():
            yield from ((name, threshold) for threshold in thresholds.thresholds)
        for metric in spec.metrics:
            yield from ((metric.class_name, threshold) for threshold in metric.per_slice_thresholds)


def _quoted(names: Iterable[str]) -> str:
    return ", ".join(map(repr, names))
