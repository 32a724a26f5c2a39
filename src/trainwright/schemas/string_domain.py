"""String domains: the values that a categorical feature may have."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

from trainwright.schemas.reasons import Anomaly, Reason
from trainwright.schemas.statistics_view import FeatureView

# How TFDV lists values: each with its share of all, and a full stop behind the last.
_LIST_OF_VALUES = "values missing from the schema: "
_LISTED_VALUE = re.compile(r"(.*?)( \((?:~\d+%|<1%|\?)\)(, |\.|$))")

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
            f"Examples contain {_LIST_OF_VALUES}{listed}. ",
        )
    ], False


def _is_too_much(count: float, total: float, allowed: float) -> bool:
    return allowed == 0 or total == 0 or count / total > allowed


def _percentage(count: int, total: float) -> str:
    if total == 0:
        return "?"
    percentage = 100 * count / total
    return "<1%" if percentage < 1 else f"~{math.floor(percentage)}%"


def mark_listed_values(description: str, mark: Callable[[str], str]) -> str:
    """A description of TFDV, or one like it, with each value that it lists changed by `mark`.

    What is stored is TFDV's sentence, where the spaces of a value cannot be told from others.

    >>> text = "Examples contain values missing from the schema: a  (~24%), b (<1%). "
    >>> mark_listed_values(text, repr)
    "Examples contain values missing from the schema: 'a ' (~24%), 'b' (<1%). "
    """
    before, found, rest = description.partition(_LIST_OF_VALUES)
    marked, place = [before, found], 0
    while match := _LISTED_VALUE.match(rest, place):
        marked += [mark(match[1]), match[2]]
        place = match.end()
        if match[3] != ", ":
            break
    return "".join([*marked, rest[place:]])


def quote_if_unseen(value: str) -> str:
    """A value in quotes if it has spaces that could not be seen, or no character at all.

    >>> quote_if_unseen("Paris "), quote_if_unseen("New York")
    ("'Paris '", 'New York')
    """
    return value if value and value == " ".join(value.split()) else f"'{value}'"


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
