"""Int and float domains: the range of a number, also of one that is written as a string."""

from __future__ import annotations

import math
import re
from typing import Any

from tensorflow_metadata.proto.v0 import schema_pb2, statistics_pb2

from trainwright.schemas.reasons import Anomaly, Reason, six_digits, to_float32
from trainwright.schemas.statistics_view import FeatureView

_OUT_OF_RANGE = "Out-of-range values"
_INVALID = "Invalid values"

_SMALLEST, _LARGEST = -(2**63), 2**63 - 1
_INTEGER = re.compile(r"\s*[+-]?[0-9]+\s*", re.ASCII)
_FLOAT = re.compile(
    r"\s*[+-]?([0-9]+\.?[0-9]*([eE][+-]?[0-9]+)?|\.[0-9]+([eE][+-]?[0-9]+)?|inf(inity)?|nan)\s*",
    re.ASCII | re.IGNORECASE,
)

_Statistics = statistics_pb2.FeatureNameStatistics


class NotANumberError(Exception):
    """A value that is not a number of the kind asked for; its only argument is that value."""


def parse_integer(text: str) -> int:
    """A 64-bit integer in decimal digits."""
    value = int(text) if _INTEGER.fullmatch(text) else None
    if value is None or not _SMALLEST <= value <= _LARGEST:
        raise NotANumberError(text)
    return value


def parse_float(text: str) -> float:
    """A number in single precision, infinities and NaN among them."""
    if not _FLOAT.fullmatch(text):
        raise NotANumberError(text)
    return to_float32(float(text))


def is_integer_text(view: FeatureView) -> bool:
    """Whether all counted values of a string feature are integers."""
    if view.type != _Statistics.STRING or view.has_invalid_utf8:
        return False
    try:
        return _integer_range(view) is not None
    except NotANumberError:
        return False


def _integer_range(view: FeatureView) -> tuple[int, int] | None:
    """The smallest and the largest value; raises NotANumberError."""
    values = view.value_counts
    if view.type == _Statistics.INT and not values:
        numeric = view.statistics.num_stats
        # The limits as floats: 2**63 - 1 cannot be told from 2**63.
        for value, is_outside in (
            (numeric.min, numeric.min < -(2.0**63)),
            (numeric.max, numeric.max > 2.0**63),
        ):
            if is_outside:
                raise NotANumberError(f"{value:f}")
        return max(int(numeric.min), _SMALLEST), min(int(numeric.max), _LARGEST)
    if view.type not in (_Statistics.INT, _Statistics.STRING, _Statistics.BYTES) or not values:
        return None
    numbers = [parse_integer(value) for value in values]
    return min(numbers), max(numbers)


def fit_int_domain(view: FeatureView, domain: Any) -> tuple[list[Reason], bool]:
    """Widens the range to what was seen, and says why; True if the domain makes no sense."""
    try:
        found = _integer_range(view)
    except NotANumberError as error:
        return _not_integers(view, domain, str(error))
    if found is None:
        return [], False
    smallest, largest = found
    reasons = []
    if domain.HasField("min") and smallest < domain.min:
        text = f"Unexpectedly small value: {smallest}."
        reasons.append(Reason(Anomaly.INT_TYPE_SMALL_INT, _OUT_OF_RANGE, text))
        domain.min = smallest
    if domain.HasField("max") and largest > domain.max:
        text = f"Unexpectedly large value: {largest}."
        reasons.append(Reason(Anomaly.INT_TYPE_BIG_INT, _OUT_OF_RANGE, text))
        domain.max = largest
    return reasons, False


def _not_integers(view: FeatureView, domain: Any, value: str) -> tuple[list[Reason], bool]:
    if view.feature_type == schema_pb2.BYTES:
        text = f'String values that were not ints were found, such as "{value}".'
        return [Reason(Anomaly.INT_TYPE_NOT_INT_STRING, _INVALID, text)], True
    if not domain.HasField("min") and not domain.HasField("max"):
        return [], False
    text = f'Integer had values that were not valid Int64, such as "{value}".'
    return [Reason(Anomaly.DOMAIN_INVALID_FOR_TYPE, _INVALID, text)], True


def fit_float_domain(view: FeatureView, domain: Any) -> tuple[list[Reason], bool]:
    """Widens the range to what was seen, and says why; True if the domain makes no sense."""
    reasons = _fit_nan(view, domain)
    try:
        found = _float_range(view)
    except NotANumberError as error:
        text = f'String values that were not floats were found, such as "{error}".'
        return [*reasons, Reason(Anomaly.FLOAT_TYPE_STRING_NOT_FLOAT, _INVALID, text)], True
    if found is not None:
        reasons += _fit_float_range(domain, *found)
    return reasons, False


def _float_range(view: FeatureView) -> tuple[float, float] | None:
    if view.type == _Statistics.FLOAT:
        numeric = view.statistics.num_stats
        return to_float32(numeric.min), to_float32(numeric.max)
    if view.type not in (_Statistics.STRING, _Statistics.BYTES):
        return None
    numbers = [parse_float(value) for value in view.value_counts]
    comparable = [number for number in numbers if not math.isnan(number)]
    return (min(comparable), max(comparable)) if comparable else None


def _fit_float_range(domain: Any, smallest: float, largest: float) -> list[Reason]:
    reasons = []
    digits = "(upto six significant digits)"
    if domain.HasField("min") and smallest < domain.min:
        text = f"Unexpectedly low values: {six_digits(smallest)}<{six_digits(domain.min)}{digits}"
        reasons.append(Reason(Anomaly.FLOAT_TYPE_SMALL_FLOAT, _OUT_OF_RANGE, text))
        domain.min = smallest
    if domain.HasField("max") and largest > domain.max:
        text = f"Unexpectedly high value: {six_digits(largest)}>{six_digits(domain.max)}{digits}"
        reasons.append(Reason(Anomaly.FLOAT_TYPE_BIG_FLOAT, _OUT_OF_RANGE, text))
        domain.max = largest
    if domain.disallow_inf and (math.isinf(smallest) or math.isinf(largest)):
        text = "Float feature has Inf values."
        reasons.append(Reason(Anomaly.FLOAT_TYPE_HAS_INF, _INVALID, text))
        domain.disallow_inf = False
    return reasons


def _fit_nan(view: FeatureView, domain: Any) -> list[Reason]:
    if not domain.disallow_nan or not _has_nan(view):
        return []
    domain.disallow_nan = False
    return [Reason(Anomaly.FLOAT_TYPE_HAS_NAN, _INVALID, "Float feature has NaN values.")]


def _has_nan(view: FeatureView) -> bool:
    if view.type == _Statistics.FLOAT:
        return any(histogram.num_nan > 0 for histogram in view.statistics.num_stats.histograms)
    if view.type != _Statistics.STRING:
        return False
    return any(_FLOAT.fullmatch(value) and math.isnan(float(value)) for value in view.value_counts)
