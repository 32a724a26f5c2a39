"""Every threshold that was held against a slice: which ones failed, by how much, and which did not.

What failed is what the evaluation has stored. What passed is not stored: it is every other
threshold of the config.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from trainwright.evaluation.metric_keys import MetricKey
from trainwright.evaluation.results import MetricValue, SliceResult
from trainwright.evaluation.slices.cross_slices import CrossSliceResult
from trainwright.evaluation.tfma_format.keys import metric_key_from_proto
from trainwright.evaluation.thresholds.checks import check_slices
from trainwright.html_views.evaluation.bounds import Range, Threshold, allowed_range, bound_words
from trainwright.html_views.evaluation.found import (
    Found,
    FoundSlice,
    Item,
    Place,
    place_of,
    slice_name,
)
from trainwright.html_views.evaluation.values import Number, number_of
from trainwright.proto.tfma import config_pb2, validation_result_pb2


@dataclass(frozen=True, kw_only=True)
class Check:
    """A threshold and a slice.

    Args:
        place: The slice, or the pair of slices.
        key: The metric, never its change.
        words: What must be true, such as "at least 0.6".
        allowed: The values that would do; None if that is not known.
        number: The value, or where it lies by its change from the baseline's; None if there is no
            number.
        baseline: The baseline's value.
        message: What the evaluation has said about it.
    """

    place: Place
    key: MetricKey
    words: str
    allowed: Range | None
    number: Number | None
    baseline: float | None = None
    message: str = ""

    @property
    def slice_name(self) -> str:
        """The slice, for people."""
        return slice_name(self.place[0], is_cross=self.place[1])

    @property
    def miss(self) -> float | None:
        """How far the value is from what is allowed."""
        if self.number is None or self.allowed is None:
            return None
        return self.allowed.miss(self.number.value)

    @property
    def is_unsure(self) -> bool:
        """Whether the confidence interval holds the bound."""
        if self.number is None or self.allowed is None or not self.number.has_interval:
            return False
        return self.allowed.holds_end(self.number.low, self.number.high)


def failed_checks(validation: validation_result_pb2.ValidationResult, found: Found) -> list[Check]:
    """What did not pass, as the evaluation has stored it; by slice, in the order of slices.

    Example: `failed_checks(load_validation_result(uri), found)[0].words`
    """
    checks = [
        _failed_check(failure, place_of(message), found)
        for message in validation.metric_validations_per_slice
        for failure in message.failures
    ]
    slices = (*found.slices, *found.cross_slices)
    order = {(one.key, one.is_cross): index for index, one in enumerate(slices)}
    return sorted(checks, key=lambda check: order.get(check.place, len(order)))


def passed_checks(
    config: config_pb2.EvalConfig, found: Found, failed: Sequence[Check]
) -> list[Check]:
    """The thresholds of the config that are not among those that failed.

    Example: `len(passed_checks(run.eval_config, found, failed))`
    """
    known = {(check.place, check.key, check.words) for check in failed}
    passed: dict[tuple[object, ...], Check] = {}
    for check in _all_checks(config, found):
        same = (check.place, check.key, check.words)
        # What it misses by its values alone is not called passed, whatever was stored.
        if same not in known and check.miss == 0:
            passed.setdefault(same, check)
    return list(passed.values())


def _failed_check(
    failure: validation_result_pb2.ValidationFailure, place: Place, found: Found
) -> Check:
    stored_key = metric_key_from_proto(failure.metric_key)
    key = stored_key.of_model(stored_key.model_name)
    given = failure.metric_threshold
    is_change = given.WhichOneof("validate_relative") is not None
    threshold = given.change_threshold if is_change else given.value_threshold
    stored = number_of(Item(value=failure.metric_value))
    return _make_check(found, place, key, threshold, stored=stored, message=failure.message.strip())


def _make_check(
    found: Found,
    place: Place,
    key: MetricKey,
    threshold: Threshold,
    *,
    stored: Number | None = None,
    message: str = "",
) -> Check:
    """Looks up the numbers; what was stored stands in for those of metrics that were not."""
    one = found.slice_at(place)
    baseline = found.baseline_number(one, key) if one else None
    number = one.number(key) if one else None
    if isinstance(threshold, config_pb2.GenericChangeThreshold):
        change = one.number(key.diff()) if one else None
        number = _by_change(change or stored, baseline) or number
    else:
        number = number or stored
    return Check(
        place=place,
        key=key,
        words=bound_words(threshold),
        allowed=allowed_range(threshold, baseline.value if baseline else None),
        number=number,
        baseline=baseline.value if baseline else None,
        message=message,
    )


def _by_change(change: Number | None, baseline: Number | None) -> Number | None:
    """Where a candidate is by its change: the interval is that of the change."""
    if change is None or baseline is None:
        return None
    return Number(*(end + baseline.value for end in change))


def _all_checks(config: config_pb2.EvalConfig, found: Found) -> Iterator[Check]:
    slices = [SliceResult(one.key, metrics=_values(one)) for one in found.slices]  # type: ignore[arg-type]
    pairs = [_cross_result(one) for one in found.cross_slices]
    try:
        checks = check_slices(slices, config, pairs)
    except ValueError:
        # A config of TFMA that is not understood here: what failed is known all the same.
        return
    for check in checks:
        if check.slice_key is not None:
            is_cross = isinstance(check.rule.slicing, config_pb2.CrossSlicingSpec)
            place = (check.slice_key, is_cross)
            yield _make_check(found, place, check.metric_key, check.rule.threshold)


def _cross_result(one: FoundSlice) -> CrossSliceResult:
    baseline, comparison = one.key
    return CrossSliceResult(baseline, comparison, _values(one))  # type: ignore[arg-type]


def _values(one: FoundSlice) -> dict[MetricKey, MetricValue]:
    """The numbers of a slice, for which alone there are thresholds."""
    numbers = {key: one.number(key) for key in one.items}
    return {key: number.value for key, number in numbers.items() if number is not None}
