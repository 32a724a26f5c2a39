"""Pairs of sets of examples, which TFDV and we compare in the same way.

A feature is a list: of integers, of floats, of bytes; or None for one without a kind.
"""

from __future__ import annotations

from typing import Any, NamedTuple


class Case(NamedTuple):
    """Two sets of examples, and how they are compared."""

    base: list[dict[str, Any]]
    test: list[dict[str, Any]]
    options: dict[str, Any]


def _row(number, **features):
    return {"id": [b"id_%d" % number], **features}


_DUPLICATES = Case(
    [_row(1, x=[1]), _row(1, x=[2]), _row(2, x=[5]), _row(3, x=[6])],
    [_row(1, x=[1]), _row(2, x=[5]), _row(2, x=[7]), _row(4, x=[1])],
    {"identifier_features": ["id"], "skew_sample_size": 20, "float_round_ndigits": 2},
)

CASES = {
    "every_outcome": Case(
        [
            _row(1, same=[1], other=[1.0, 2.0], gone=[b"a"], empty=[], none=None),
            _row(2, same=[2], other=[3.0], kind=[1]),
            _row(3, same=[3], order=[b"a", b"b"]),
            _row(4, same=[3]),
        ],
        [
            _row(3, same=[3], order=[b"b", b"a"]),
            _row(1, same=[1], other=[1.0, 3.0], new=[b"a"], empty=[]),
            _row(2, same=[2], other=[3.0], kind=[1.0], empty=[]),
            _row(9, same=[9]),
        ],
        {"identifier_features": ["id"], "skew_sample_size": 20, "float_round_ndigits": 3},
    ),
    "rounding_to_nothing": Case(
        [_row(n, x=[n + 0.4], y=[n * 0.5, -0.2]) for n in range(8)],
        [_row(n, x=[n + 0.3], y=[n * 0.5 + 0.04, 0.2]) for n in range(8)],
        {"identifier_features": ["id"], "skew_sample_size": 3},
    ),
    "rounding_to_digits": Case(
        [_row(n, x=[n + 0.1234], y=[float("nan")], z=[float("inf")]) for n in range(8)],
        [_row(n, x=[n + 0.12341 + n / 4000], y=[float("nan")], z=[1e38]) for n in range(8)],
        {"identifier_features": ["id"], "skew_sample_size": 20, "float_round_ndigits": 3},
    ),
    "duplicates_left_out": _DUPLICATES,
    "duplicates_compared": Case(
        *_DUPLICATES[:2], {**_DUPLICATES.options, "allow_duplicate_identifiers": True}
    ),
    "missing_identifiers": Case(
        [_row(1, day=[1.26], x=[1]), _row(2, x=[1]), {"day": [3.0]}, _row(4, day=[], x=[2])],
        [_row(1, day=[1.34], x=[2]), {"x": [1]}, {"x": [1]}, _row(5, day=[5.0])],
        {
            "identifier_features": ["id", "day"],
            "skew_sample_size": 9,
            "float_round_ndigits": 1,
        },
    ),
    "ignored_features": Case(
        [_row(n, x=[n], y=[n]) for n in range(5)],
        [_row(n, x=[n + 1], y=[n + n % 2]) for n in range(5)],
        {"identifier_features": ["id"], "ignore_features": ["x"], "skew_sample_size": 9},
    ),
    "confusion": Case(
        [_row(n, kind=[b"a", b"b", b"c"][n % 3 : n % 3 + 1], town=[]) for n in range(12)],
        [_row(n, kind=[b"a", b"b"][n % 2 : n % 2 + 1], town=[b"x"]) for n in range(2, 14)]
        + [{"id": [b"id_1"], "town": [b"\xff\x00"]}],
        {
            "identifier_features": ["id"],
            "skew_sample_size": 0,
            "confusion_config": [{"feature_name": "kind"}, {"feature_name": "town"}],
        },
    ),
    "nothing_in_common": Case(
        [_row(1, x=[1])], [_row(2, x=[1])], {"identifier_features": ["id"], "skew_sample_size": 1}
    ),
}
