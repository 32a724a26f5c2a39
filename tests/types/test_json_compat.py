"""Type hints of JSON values."""

# ruff: noqa: UP007, UP045  as users of TFX write it

from typing import Any, Optional, Union

import pytest

from trainwright.types.json_compat import check_strict_json_compat, is_json_compatible


@pytest.mark.parametrize(
    "hint",
    [
        dict[str, float],
        list[int],
        dict[str, list[dict[str, Any]]],
        Optional[dict[str, list[int] | None]],
        Union[dict[str, str], list[bool]],
        dict[str, int] | None,
    ],
)
def test_lists_and_objects_with_known_contents_are_json(hint):
    assert is_json_compatible(hint)


@pytest.mark.parametrize(
    "hint",
    [dict, list, int, str, Any, None, dict[int, str], list[bytes], dict[str, dict], int | str],
)
def test_other_hints_are_not(hint):
    assert not is_json_compatible(hint)


@pytest.mark.parametrize(
    ("given", "expected", "fits"),
    [
        (dict[str, bool], dict[str, Any], True),
        (dict[str, int], dict[str, int] | list[int], True),
        (dict[str, Any], dict[str, str], False),
        (list[int], list[float], False),
        ({"a": [1, 2]}, dict[str, list[int]], True),
        ({"a": [1, 2.0]}, dict[str, list[int]], False),
        ({"a": True}, dict[str, int], False),
        ({1: "a"}, dict[str, Any], False),
        (None, Optional[list[int]], True),
        (None, list[int], False),
    ],
)
def test_types_must_be_equal(given, expected, fits):
    assert check_strict_json_compat(given, expected) is fits
