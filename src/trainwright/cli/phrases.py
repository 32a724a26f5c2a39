"""Numbers as people say them: durations, ages and sizes."""

from __future__ import annotations

import time

_MINUTE, _HOUR, _DAY = 60, 3600, 86_400
_DAYS_UNTIL_DATE = 60


def describe_duration(seconds: float | None) -> str:
    """A length of time, with two units at most.

    >>> [describe_duration(seconds) for seconds in (0.21, 42, 192, 7500, None)]
    ['0.2 s', '42 s', '3 min 12 s', '2 h 5 min', '']
    """
    if seconds is None:
        return ""
    if seconds < 10:
        return f"{max(seconds, 0):.1f} s"
    whole = round(seconds)
    if whole < _MINUTE:
        return f"{whole} s"
    if whole < _HOUR:
        return f"{whole // _MINUTE} min {whole % _MINUTE} s"
    if whole < _DAY:
        return f"{whole // _HOUR} h {whole % _HOUR // _MINUTE} min"
    return f"{whole // _DAY} d {whole % _DAY // _HOUR} h"


def describe_age(then: float, now: float) -> str:
    """How long ago something was; what is long past has a date.

    >>> [describe_age(0, now) for now in (1, 42, 200, 7500, 200_000)]
    ['just now', '42 s ago', '3 min ago', '2 h ago', '2 d ago']
    """
    age = now - then
    if age < 5:
        return "just now"
    if age < _MINUTE:
        return f"{age:.0f} s ago"
    if age < _HOUR:
        return f"{age // _MINUTE:.0f} min ago"
    if age < _DAY:
        return f"{age // _HOUR:.0f} h ago"
    if age < _DAYS_UNTIL_DATE * _DAY:
        return f"{age // _DAY:.0f} d ago"
    return time.strftime("%Y-%m-%d", time.localtime(then))


def describe_time(then: float) -> str:
    """A moment by the clock on the wall."""
    return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(then))


def describe_size(size: int | None) -> str:
    """A number of bytes.

    >>> [describe_size(size) for size in (7, 12_300, 4_500_000, None)]
    ['7 B', '12.3 kB', '4.5 MB', '']
    """
    if size is None:
        return ""
    if size < 1000:
        return f"{size} B"
    value = float(size)
    for unit in ("kB", "MB", "GB"):
        value /= 1000
        if value < 999.95:
            return f"{value:.1f} {unit}"
    return f"{value / 1000:.1f} TB"


def describe_number(value: object) -> str:
    """A measured value; floats with six digits at most.

    >>> [describe_number(value) for value in (342, 0.22751234, 0.5, "the model is blessed")]
    ['342', '0.227512', '0.5', 'the model is blessed']
    """
    return f"{value:.6g}" if isinstance(value, float) else str(value)
