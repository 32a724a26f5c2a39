"""Cross slices: by how much the metrics of one slice are above those of another."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from trainwright.evaluation.metric_keys import MetricKey, SliceKey
from trainwright.evaluation.results import BoundedValue, MetricValue, SliceResult
from trainwright.evaluation.slices.slice_matching import matches
from trainwright.evaluation.tfma_format.keys import CrossSliceKey
from trainwright.proto.tfma import config_pb2


@dataclass
class CrossSliceResult:
    """The metrics of a slice minus those of the one that is compared with it.

    There are no confidence intervals: two slices may share examples.
    """

    baseline_key: SliceKey
    comparison_key: SliceKey
    metrics: dict[MetricKey, MetricValue] = field(default_factory=dict)

    @property
    def cross_slice_key(self) -> CrossSliceKey:
        return self.baseline_key, self.comparison_key


def compare_slices(
    slices: Sequence[SliceResult], specs: Iterable[config_pb2.CrossSlicingSpec]
) -> list[CrossSliceResult]:
    """Compares all pairs of slices that the cross slicing specs ask for, each once."""
    found: dict[CrossSliceKey, CrossSliceResult] = {}
    for spec in specs:
        for baseline in slices:
            if not matches(spec.baseline_spec, baseline.slice_key):
                continue
            for comparison in slices:
                key = (baseline.slice_key, comparison.slice_key)
                if key not in found and is_compared(spec, comparison.slice_key):
                    found[key] = CrossSliceResult(*key, _differences(baseline, comparison))
    return list(found.values())


def is_compared(spec: config_pb2.CrossSlicingSpec, key: SliceKey) -> bool:
    """Whether a slice is compared with the baseline of a spec: any other, if it names none."""
    if spec.slicing_specs:
        return any(matches(other, key) for other in spec.slicing_specs)
    return not matches(spec.baseline_spec, key)


def _differences(baseline: SliceResult, comparison: SliceResult) -> dict[MetricKey, MetricValue]:
    return {
        key: float(baseline.metrics[key]) - float(value)  # type: ignore[arg-type]
        for key, value in comparison.metrics.items()
        if _is_number(value) and _is_number(baseline.metrics.get(key))
    }


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float, BoundedValue))
