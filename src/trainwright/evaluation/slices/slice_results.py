"""Slice results: metrics, plots and their changes, computed from sums."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from trainwright.evaluation.computation import Computation, Sums
from trainwright.evaluation.intervals import bound
from trainwright.evaluation.metric_keys import ALL_EXAMPLES, MetricKey, SliceKey
from trainwright.evaluation.metrics.metric import Metric, Plot
from trainwright.evaluation.results import BoundedValue, MetricValue, SliceResult
from trainwright.evaluation.slices.slicing import SliceSpec
from trainwright.evaluation.sum_table import SumTable
from trainwright.proto.tfma import config_pb2


@dataclass(frozen=True)
class EvaluationSums:
    """All that a pass added up.

    Args:
        tables: The sums of each computation.
        slice_keys: The slices by their number in the tables.
        slice_examples: How many examples each has.
        replicates: How many bootstrap replicates the tables hold.
        examples: How many examples were read.
        features: Which features were found, of those that were looked for.
        nan_predictions: By model: how many examples it returned NaN for, and where the first is.
    """

    tables: Mapping[Computation, SumTable]
    slice_keys: Sequence[SliceKey]
    slice_examples: Sequence[int]
    replicates: int = 0
    examples: int = 0
    features: frozenset[str] = frozenset()
    nan_predictions: Mapping[str, tuple[int, str]] = field(default_factory=dict)


@dataclass(frozen=True)
class Evaluation:
    """What an evaluation found.

    Args:
        slices: All examples first, then slices in order.
        examples: How many examples were read.
        empty_specs: Slicing specs that no example belongs to.
        small_slices: How many slices were left out because they have too few examples.
        missing_features: Features to slice by that no example has.
        nan_predictions: By model: how many examples it returned NaN for, and where the first is.
        left_out: A sentence for each metric that a model brought and that is not computed.
    """

    slices: list[SliceResult]
    examples: int
    empty_specs: list[SliceSpec]
    small_slices: int
    missing_features: list[str]
    nan_predictions: Mapping[str, tuple[int, str]]
    left_out: Sequence[str] = ()


def make_results(
    config: config_pb2.EvalConfig,
    specs: Sequence[SliceSpec],
    metrics: Sequence[Metric],
    plots: Sequence[Plot],
    sums: EvaluationSums,
    left_out: Sequence[str] = (),
) -> Evaluation:
    """Computes every metric and plot of every slice."""
    fewest = config.options.min_slice_size.value
    numbers = sorted(range(len(sums.slice_keys)), key=lambda number: _order(sums, number))
    big = [
        number
        for number in numbers
        if sums.slice_keys[number] == ALL_EXAMPLES or sums.slice_examples[number] >= fewest
    ]
    slices = [_slice_result(config, number, metrics, plots, sums) for number in big]
    looked_for = {name for spec in specs for name in spec.features}
    return Evaluation(
        slices=slices,
        examples=sums.examples,
        empty_specs=[spec for spec in specs if not any(map(spec.covers, sums.slice_keys))],
        small_slices=len(numbers) - len(big),
        missing_features=sorted(looked_for - sums.features),
        nan_predictions=sums.nan_predictions,
        left_out=left_out,
    )


def _order(sums: EvaluationSums, number: int) -> tuple[object, ...]:
    """By the columns, then by their values; numbers before strings."""
    key = sums.slice_keys[number]
    names = tuple(name for name, _ in key)
    values = tuple((isinstance(value, str), value) for _, value in key)
    return (len(key), names, values)


def _slice_result(
    config: config_pb2.EvalConfig,
    number: int,
    metrics: Sequence[Metric],
    plots: Sequence[Plot],
    sums: EvaluationSums,
) -> SliceResult:
    result = SliceResult(sums.slice_keys[number], examples=sums.slice_examples[number])
    replicates: dict[MetricKey, list[MetricValue]] = {}
    for metric in metrics:
        result.metrics[metric.key] = metric.value(_sums_of(metric.computations, sums, number, 0))
        if sums.replicates and metric.has_interval:
            replicates[metric.key] = [
                metric.value(_sums_of(metric.computations, sums, number, copy))
                for copy in range(1, sums.replicates + 1)
            ]
    _add_changes(config, result.metrics)
    if replicates:
        _add_intervals(config, result.metrics, replicates)
    for plot in plots:
        result.plots[plot.key] = plot.value(_sums_of(plot.computations, sums, number, 0))
    return result


def _sums_of(
    computations: Sequence[Computation], sums: EvaluationSums, number: int, copy: int
) -> dict[Computation, Sums]:
    return {each: sums.tables[each].sums(number, copy) for each in computations}


def _add_changes(config: config_pb2.EvalConfig, values: dict[MetricKey, MetricValue]) -> None:
    """Beside each number of the candidate, how much it differs from the baseline's."""
    baseline = next((spec.name for spec in config.model_specs if spec.is_baseline), None)
    if baseline is None:
        return
    for key, value in list(values.items()):
        before = values.get(key.of_model(baseline))
        if key.model_name != baseline and before is not None:
            change = _subtract(value, before)
            if change is not None:
                values[key.diff()] = change


def _add_intervals(
    config: config_pb2.EvalConfig,
    values: dict[MetricKey, MetricValue],
    replicates: Mapping[MetricKey, list[MetricValue]],
) -> None:
    copies = []
    for index in range(max(len(several) for several in replicates.values())):
        copy = {key: several[index] for key, several in replicates.items()}
        _add_changes(config, copy)
        copies.append(copy)
    for key, value in list(values.items()):
        drawn = [copy[key] for copy in copies if isinstance(copy.get(key), float)]
        if isinstance(value, float) and len(drawn) == len(copies):
            values[key] = bound(value, [float(one) for one in drawn])  # type: ignore[arg-type]


def _subtract(value: MetricValue, other: MetricValue) -> MetricValue | None:
    """The difference of numbers; other values have none."""
    if isinstance(value, BoundedValue) and isinstance(other, BoundedValue):
        return value.value - other.value
    if isinstance(value, (int, float, np.number)) and isinstance(other, (int, float, np.number)):
        return float(value) - float(other)
    if (
        isinstance(value, np.ndarray)
        and isinstance(other, np.ndarray)
        and value.shape == other.shape
    ):
        difference: np.ndarray = value - other
        return difference
    return None
