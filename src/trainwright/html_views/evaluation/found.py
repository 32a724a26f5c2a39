"""Found: what an evaluation found, as its page looks it up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from trainwright.evaluation.metric_keys import MetricKey, SliceKey, SliceValue
from trainwright.evaluation.slices.slice_matching import slice_text
from trainwright.evaluation.tfma_format.keys import CrossSliceKey, metric_key_from_proto
from trainwright.evaluation.thresholds.bounds import Measured
from trainwright.html_views.evaluation.values import number_of
from trainwright.proto.tfma import config_pb2, metrics_for_slice_pb2, validation_result_pb2

Item = metrics_for_slice_pb2.MetricsForSlice.MetricKeyAndValue
# A slice, or with True a pair of slices that are compared.
Place = tuple[SliceKey | CrossSliceKey, bool]

_Placed = (
    metrics_for_slice_pb2.MetricsForSlice
    | metrics_for_slice_pb2.PlotsForSlice
    | validation_result_pb2.MetricsValidationForSlice
)

_EXAMPLE_COUNT = "example_count"


@dataclass(frozen=True)
class FoundSlice:
    """The metrics of a slice, or of the difference between two.

    Args:
        key: The slice; of a difference, both.
        is_cross: Whether it is a difference.
        items: The metrics as they are stored, by their names.
    """

    key: SliceKey | CrossSliceKey
    is_cross: bool
    items: Mapping[MetricKey, Item]

    @cached_property
    def name(self) -> str:
        return slice_name(self.key, is_cross=self.is_cross)

    @cached_property
    def examples(self) -> float | None:
        """How many examples it has, if that was counted."""
        for key, item in self.items.items():
            number = number_of(item)
            is_count = key.name == _EXAMPLE_COUNT and not key.example_weighted
            if is_count and not key.is_diff and number is not None:
                return number.value
        return None

    def number(self, key: MetricKey) -> Measured | None:
        item = self.items.get(key)
        return None if item is None else number_of(item)


@dataclass(frozen=True)
class Found:
    """The slices of an evaluation and whose numbers they are.

    Args:
        slices: All examples first, then by the features that they are made of.
        cross_slices: The differences between slices.
        baseline: The name of the baseline; None if there is none.
    """

    slices: Sequence[FoundSlice]
    cross_slices: Sequence[FoundSlice]
    baseline: str | None

    def is_baseline(self, model_name: str) -> bool:
        return self.baseline is not None and model_name == self.baseline

    def baseline_number(self, found: FoundSlice, key: MetricKey) -> Measured | None:
        if self.baseline is None or self.is_baseline(key.model_name):
            return None
        return found.number(key.of_model(self.baseline))

    def slice_at(self, place: Place) -> FoundSlice | None:
        return self._by_place.get(place)

    @cached_property
    def _by_place(self) -> dict[Place, FoundSlice]:
        return {(one.key, one.is_cross): one for one in (*self.slices, *self.cross_slices)}


def find_slices(
    metrics: Iterable[metrics_for_slice_pb2.MetricsForSlice], config: config_pb2.EvalConfig
) -> Found:
    """Sorts what was stored.

    Example: `find_slices(load_metrics(uri), run.eval_config).slices[0].name` is "all examples".
    """
    found = [_found_slice(message) for message in metrics]
    found.sort(key=lambda one: place_order((one.key, one.is_cross)))
    baselines = [spec.name for spec in config.model_specs if spec.is_baseline]
    return Found(
        slices=[one for one in found if not one.is_cross],
        cross_slices=[one for one in found if one.is_cross],
        baseline=next(iter(baselines), None),
    )


def place_of(message: _Placed) -> Place:
    """Of which slice a message is, and whether that is a difference between two."""
    if message.HasField("cross_slice_key"):
        cross = message.cross_slice_key
        return (slice_key(cross.baseline_slice_key), slice_key(cross.comparison_slice_key)), True
    return slice_key(message.slice_key), False


def slice_key(message: metrics_for_slice_pb2.SliceKey) -> SliceKey:
    """The key of a slice, whatever its bytes are: the page shows those that are not text, too."""
    return tuple((single.column, _slice_value(single)) for single in message.single_slice_keys)


def slice_name(key: SliceKey | CrossSliceKey, *, is_cross: bool = False) -> str:
    """A slice, or a pair of them, for people.

    >>> slice_name((("island", "Dream"),)), slice_name(((), (("sex", 1),)), is_cross=True)
    ('island=Dream', 'all examples against sex=1')
    """
    if not is_cross:
        return slice_text(key)  # type: ignore[arg-type]
    return " against ".join(slice_text(part) for part in key)  # type: ignore[arg-type]


def place_order(place: Place) -> tuple[object, ...]:
    """Sorts slices: all examples, those of one feature, of several, then pairs; numbers by size."""
    key, is_cross = place
    if is_cross:
        return True, slice_name(key, is_cross=True)
    columns = tuple(str(column) for column, _ in key)
    values = tuple((isinstance(value, str), value) for _, value in key)
    return False, len(key), columns, values


def _found_slice(message: metrics_for_slice_pb2.MetricsForSlice) -> FoundSlice:
    key, is_cross = place_of(message)
    items = {metric_key_from_proto(item.key): item for item in message.metric_keys_and_values}
    # Evaluations of old have metrics by name alone.
    for name, value in message.metrics.items():
        items.setdefault(MetricKey(name), Item(value=value))
    return FoundSlice(key=key, is_cross=is_cross, items=items)


def _slice_value(single: metrics_for_slice_pb2.SingleSliceKey) -> SliceValue:
    kind = single.WhichOneof("kind")
    if kind == "float_value":
        return single.float_value
    if kind == "int64_value":
        return single.int64_value
    return single.bytes_value.decode(errors="replace")
