"""String domains: the values that a categorical feature may have."""

from __future__ import annotations

import math
from typing import Any

from trainwright.schemas.reasons import Anomaly, Reason
from trainwright.schemas.statistics_view import FeatureView

_ESCAPES = {"\n": r"\n", "\r": r"\r", "\t": r"\t", '"': r"\"", "'": r"\'", "\\": r"\\"}


def is_categorical(view: FeatureView, largest_domain: int) -> bool:
    """Whether a feature has so few values that they are taken for all there are."""
    return not view.has_invalid_utf8 and 0 < len(view.value_counts) <= largest_domain


def fit_string_domain(
    view: FeatureView, domain: Any, *, least_inside: float = 1.0
) -> tuple[list[Reason], bool]:
    """Adds the values that are missing from a domain, and says which.

    Args:
        view: What was seen.
        domain: A StringDomain.
        least_inside: The fraction of values that must be in the domain.

    Returns:
        The reasons, and whether the domain makes no sense for such data.
    """
    if view.has_invalid_utf8:
        return [
            Reason(
                Anomaly.ENUM_TYPE_INVALID_UTF8,
                "Invalid UTF8 strings",
                "Found strings that were not valid UTF8 strings.",
            )
        ], True
    known = set(domain.value)
    unknown = {value: count for value, count in view.value_counts.items() if value not in known}
    total = view.total_values
    if not unknown or not _is_too_much(sum(unknown.values()), total, 1.0 - least_inside):
        return [], False
    domain.value.extend(unknown)
    listed = ", ".join(
        f"{escape_value(value)} ({_percentage(int(count), total)})"
        for value, count in unknown.items()
    )
    return [
        Reason(
            Anomaly.ENUM_TYPE_UNEXPECTED_STRING_VALUES,
            "Unexpected string values",
            f"Examples contain values missing from the schema: {listed}. ",
        )
    ], False


def _is_too_much(count: float, total: float, allowed: float) -> bool:
    return allowed == 0 or total == 0 or count / total > allowed


def _percentage(count: int, total: float) -> str:
    if total == 0:
        return "?"
    percentage = 100 * count / total
    return "<1%" if percentage < 1 else f"~{math.floor(percentage)}%"


def escape_value(value: str) -> str:
    r"""A value on one line: control characters and quotes are escaped, other scripts are not.

    >>> escape_value("Åland\n")
    'Åland\\n'
    """
    return "".join(_escape(character) for character in value)


def _escape(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    is_control = character < " " or character == "\x7f"
    return f"\\{ord(character):03o}" if is_control else character


def drop_repeated_values(domain: Any) -> None:
    """Keeps the first of equal values."""
    values = list(dict.fromkeys(domain.value))
    if len(values) < len(domain.value):
        domain.ClearField("value")
        domain.value.extend(values)
