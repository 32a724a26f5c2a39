"""The thresholds of a config: which metric of which slices must satisfy what.

All that can be found wrong with them before any example is read is found here.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from trainwright._suggest import did_you_mean
from trainwright.evaluation.config.config_completion import baseline_spec
from trainwright.evaluation.metric_keys import MetricKey, SubKey
from trainwright.evaluation.metrics.arguments import parse_config, snake_case
from trainwright.evaluation.metrics.registry import METRIC_CLASSES
from trainwright.evaluation.metrics.specs import scopes_of_spec
from trainwright.evaluation.slices.slice_matching import can_match
from trainwright.evaluation.slices.slicing import SliceSpec
from trainwright.proto.tfma import config_pb2

Slicing = config_pb2.SlicingSpec | config_pb2.CrossSlicingSpec | None


@dataclass(frozen=True)
class ThresholdRule:
    """One threshold of one metric.

    Args:
        key: The metric, never its change.
        threshold: What its value, or its change from the baseline's, must satisfy.
        slicing: For which slices, or differences between slices; None for every slice.
    """

    key: MetricKey
    threshold: config_pb2.GenericValueThreshold | config_pb2.GenericChangeThreshold
    slicing: Slicing = None

    @property
    def is_by_name(self) -> bool:
        """Whether its metric may be any of that name, weighted or not, listed or a model's."""
        return self.key.example_weighted is None

    @property
    def is_change(self) -> bool:
        return isinstance(self.threshold, config_pb2.GenericChangeThreshold)

    @property
    def slicing_text(self) -> str:
        """For which slices, for people."""
        if isinstance(self.slicing, config_pb2.CrossSlicingSpec):
            others = (SliceSpec.from_proto(spec) for spec in self.slicing.slicing_specs)
            compared = " or ".join(map(str, others)) or "every other slice"
            return f"{SliceSpec.from_proto(self.slicing.baseline_spec)} against {compared}"
        return str(SliceSpec.from_proto(self.slicing or config_pb2.SlicingSpec()))


def has_thresholds(config: config_pb2.EvalConfig) -> bool:
    """Whether a config, completed, says when a model is good enough."""
    return next(_all_rules(config), None) is not None


def threshold_rules(config: config_pb2.EvalConfig) -> list[ThresholdRule]:
    """Every threshold of a completed config once. The baseline need not satisfy any."""
    found: dict[tuple[object, ...], ThresholdRule] = {}
    for rule in _all_rules(config):
        slicing = (
            None if rule.slicing is None else rule.slicing.SerializeToString(deterministic=True)
        )
        content = rule.threshold.SerializeToString(deterministic=True)
        found.setdefault((rule.key, rule.is_change, slicing, content), rule)
    return list(found.values())


def check_thresholds(
    config: config_pb2.EvalConfig, metric_keys: Iterable[MetricKey], *, may_be_more: bool = False
) -> None:
    """Looks at the thresholds before any example is read.

    Args:
        config: Completed.
        metric_keys: The metrics that will be computed; changes need not be among them.
        may_be_more: Whether models may bring more, which thresholds by name may be about.

    Raises:
        ValueError: A threshold can never be met: its metric is not computed, no slice of its kind
            is, or it contradicts itself. The message names all of these.
    """
    keys = list(metric_keys)
    problems: dict[str, None] = {}
    for rule in threshold_rules(config):
        is_open = may_be_more and rule.is_by_name
        if not is_open and not find_metrics(rule.key, keys):
            problems[not_computed(rule.key, keys)] = None
        problems.update(dict.fromkeys(_contradictions(rule, config)))
    if problems:
        raise ValueError("The thresholds cannot be met. " + " ".join(problems))


def find_metrics(wanted: MetricKey, keys: Iterable[MetricKey]) -> list[MetricKey]:
    """The metrics that a threshold is about.

    A threshold by name does not say whether examples are weighted, so it is about the metric that
    there is. Some metrics are the same for all models or classes and are computed once.
    """
    named = [
        key
        for key in keys
        if key.name == wanted.name and key.output_name == wanted.output_name and not key.is_diff
    ]
    for model_name in dict.fromkeys((wanted.model_name, "")):
        for part in ((wanted.sub_key, wanted.aggregation_type), (None, None)):
            same = [
                key
                for key in named
                if key.model_name == model_name and (key.sub_key, key.aggregation_type) == part
            ]
            exact = [key for key in same if key.example_weighted == wanted.example_weighted]
            found = exact or [
                key for key in same if None in (key.example_weighted, wanted.example_weighted)
            ]
            if found:
                return found
    return []


def not_computed(wanted: MetricKey, keys: Iterable[MetricKey]) -> str:
    """The sentence about a threshold whose metric there is not."""
    computed = [key for key in keys if not key.is_diff]
    same_name = dict.fromkeys(str(key) for key in computed if key.name == wanted.name)
    if same_name:
        return (
            f"There is a threshold for {wanted}, which is not computed: computed are "
            f"{', '.join(same_name)}."
        )
    names = {key.name for key in computed}
    return (
        f"There is a threshold for {str(wanted)!r}, which is not one of the metrics"
        f"{did_you_mean(wanted.name, names)}"
    )


def _all_rules(config: config_pb2.EvalConfig) -> Iterator[ThresholdRule]:
    baseline = baseline_spec(config)
    for spec in config.metrics_specs:
        for rule in _rules_of_spec(spec, config):
            if baseline is None or rule.key.model_name != baseline.name:
                yield rule


def _rules_of_spec(
    spec: config_pb2.MetricsSpec, config: config_pb2.EvalConfig
) -> Iterator[ThresholdRule]:
    for scopes in scopes_of_spec(config, spec, None):
        for scope in scopes.by_output:
            for metric in spec.metrics:
                yield from _rules_of_metric(_key_of_metric(metric, scope.key("")), metric)
            # By its name alone it is not known whether a metric weights examples.
            named = dataclasses.replace(scope.key(""), example_weighted=None)
            yield from _rules_by_name(named, spec)


def _rules_by_name(scope: MetricKey, spec: config_pb2.MetricsSpec) -> Iterator[ThresholdRule]:
    for name, threshold in spec.thresholds.items():
        yield from _rules(dataclasses.replace(scope, name=name), threshold)
    for name, thresholds in spec.per_slice_thresholds.items():
        for per_slice in thresholds.thresholds:
            for slicing in per_slice.slicing_specs:
                key = dataclasses.replace(scope, name=name)
                yield from _rules(key, per_slice.threshold, slicing)
    for name, cross_thresholds in spec.cross_slice_thresholds.items():
        for cross in cross_thresholds.thresholds:
            for pair in cross.cross_slicing_specs:
                yield from _rules(dataclasses.replace(scope, name=name), cross.threshold, pair)


def _rules_of_metric(key: MetricKey, metric: config_pb2.MetricConfig) -> Iterator[ThresholdRule]:
    if metric.HasField("threshold"):
        yield from _rules(key, metric.threshold)
    for per_slice in metric.per_slice_thresholds:
        for slicing in per_slice.slicing_specs:
            yield from _rules(key, per_slice.threshold, slicing)
    for cross in metric.cross_slice_thresholds:
        for pair in cross.cross_slicing_specs:
            yield from _rules(key, cross.threshold, pair)


def _rules(
    key: MetricKey, threshold: config_pb2.MetricThreshold, slicing: Slicing = None
) -> Iterator[ThresholdRule]:
    if threshold.HasField("value_threshold"):
        yield ThresholdRule(key, threshold.value_threshold, slicing)
    if threshold.HasField("change_threshold"):
        yield ThresholdRule(key, threshold.change_threshold, slicing)


def _key_of_metric(metric: config_pb2.MetricConfig, scope: MetricKey) -> MetricKey:
    """What a metric is called, in the classes that its own arguments choose."""
    arguments = parse_config(metric.class_name, metric.config)
    known = METRIC_CLASSES.get(metric.class_name)
    name = arguments.get("name") or (known.default_name if known else snake_case(metric.class_name))
    chosen = {key: arguments[key] for key in ("class_id", "top_k") if _is_index(arguments.get(key))}
    sub_key = dataclasses.replace(scope.sub_key or SubKey(), **chosen) if chosen else scope.sub_key
    return dataclasses.replace(scope, name=name, sub_key=sub_key)


def _is_index(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _contradictions(rule: ThresholdRule, config: config_pb2.EvalConfig) -> Iterator[str]:
    """What makes a threshold impossible to meet, whatever the metric is."""
    threshold = rule.threshold
    if isinstance(threshold, config_pb2.GenericChangeThreshold):
        if not threshold.direction:
            yield (
                f"The change threshold of {rule.key} has no direction: say HIGHER_IS_BETTER or "
                "LOWER_IS_BETTER."
            )
        if baseline_spec(config) is None:
            yield (
                f"The change threshold of {rule.key} needs a baseline, and no model spec has "
                "is_baseline."
            )
    elif (
        threshold.HasField("lower_bound")
        and threshold.HasField("upper_bound")
        and threshold.lower_bound.value > threshold.upper_bound.value
    ):
        yield (
            f"The lower bound of {rule.key}, {threshold.lower_bound.value:g}, is above the upper "
            f"bound, {threshold.upper_bound.value:g}."
        )
    if not _has_slices(rule.slicing, config):
        field = (
            "cross_slicing_specs"
            if isinstance(rule.slicing, config_pb2.CrossSlicingSpec)
            else "slicing_specs"
        )
        yield (
            f"The threshold of {rule.key} is for slices of {rule.slicing_text}, which are not "
            f"computed: add them to the {field} of the config."
        )


def _has_slices(slicing: Slicing, config: config_pb2.EvalConfig) -> bool:
    if slicing is None:
        return True
    if isinstance(slicing, config_pb2.SlicingSpec):
        return any(can_match(slicing, computed) for computed in config.slicing_specs)
    return any(
        can_match(slicing.baseline_spec, cross.baseline_spec)
        and any(
            can_match(wanted, computed)
            for wanted in slicing.slicing_specs or config.slicing_specs
            for computed in cross.slicing_specs or config.slicing_specs
        )
        for cross in config.cross_slicing_specs
    )
