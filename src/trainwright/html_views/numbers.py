"""Numbers as people read them: few digits, thousands apart, never in the way of a column."""

from __future__ import annotations

import math

# Stands where there is no number.
NOTHING = "\N{EN DASH}"

_DIGITS = 5
_SMALLEST_GROUPED = 10_000
_LARGEST_PLAIN, _SMALLEST_PLAIN = 1e9, 1e-4


def number(value: float) -> str:
    """A number with at most five digits that mean something; whole numbers are exact.

    >>> [number(value) for value in (2009, 13440, 54.36988, 0.00001234, -5.07e11, float("nan"))]
    ['2009', '13,440', '54.37', '1.234e-5', '-5.07e11', 'NaN']
    """
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    size = abs(value)
    if size and (size >= _LARGEST_PLAIN or size < _SMALLEST_PLAIN):
        digits, exponent = f"{value:.{_DIGITS - 1}e}".split("e")
        return f"{_without_zeros(digits)}e{int(exponent)}"
    if value == int(value):
        return _grouped(f"{int(value):,}", size)
    places = max(_DIGITS - 1 - math.floor(math.log10(size)), 0)
    return _grouped(_without_zeros(f"{value:,.{places}f}"), size)


def percent(fraction: float) -> str:
    """A fraction as a percentage; a little is not nothing, and nearly all is not all.

    >>> [percent(fraction) for fraction in (0, 0.00001, 0.069, 0.5, 0.99999, 1)]
    ['0%', '<0.1%', '6.9%', '50.0%', '>99.9%', '100%']
    """
    if math.isnan(fraction):
        return NOTHING
    if 0 < fraction < 0.001:
        return "<0.1%"
    if 0.999 < fraction < 1:
        return ">99.9%"
    return f"{fraction:.0%}" if fraction in (0, 1) else f"{fraction:.1%}"


def counted(count: int, one: str, many: str | None = None) -> str:
    """A count with its word.

    >>> counted(1, "feature"), counted(12_000, "feature")
    ('1 feature', '12,000 features')
    """
    return f"{number(count)} {one if count == 1 else many or one + 's'}"


def _grouped(digits: str, size: float) -> str:
    """Without a comma in numbers of four digits, which may be years."""
    return digits.replace(",", "") if size < _SMALLEST_GROUPED else digits


def _without_zeros(digits: str) -> str:
    return digits.rstrip("0").rstrip(".") if "." in digits else digits
