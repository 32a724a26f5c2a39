"""Values against type hints."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Literal, Optional, TypedDict, TypeVar

import pytest

from trainwright.types.standard_artifacts import Examples, Model
from trainwright.types.type_hints import (
    is_artifact_multimap,
    is_compatible,
    is_homogeneous_artifact_list,
    maybe_unwrap_optional,
)


class Movie(TypedDict):
    name: str


class DatedMovie(Movie, total=False):
    year: int


@pytest.mark.parametrize(
    ("value", "hint"),
    [
        (1, Any),
        (None, None),
        (True, int),
        ([1], list[int]),
        ([], list[int]),
        ({"a": [1]}, Mapping[str, Sequence[int]]),
        ((1, 2, 3), tuple[int, ...]),
        ((1, "a"), tuple[int, str]),
        (bool, type[int]),
        (int, type[int | str]),
        ("b", Literal["a", "b"]),
        (None, Optional[list[int]]),  # noqa: UP045
        (1, Annotated[int, "metres"]),
        ({"name": "Up"}, DatedMovie),
        ({"name": "Up", "year": 2009}, DatedMovie),
        ("abc", Iterable[Any]),
        (frozenset({1}), frozenset[int]),
    ],
)
def test_it_fits(value, hint):
    assert is_compatible(value, hint)


@pytest.mark.parametrize(
    ("value", "hint"),
    [
        (1.0, int),
        (0, None),
        ([1, "a"], list[int]),
        ("abc", Sequence[str]),
        ({1: "a"}, dict[str, str]),
        ((1,), tuple[int, str]),
        (float, type[int | str]),
        ("c", Literal["a", "b"]),
        ({}, Movie),
        ({"name": "Up", "stars": 5}, DatedMovie),
        (1, list),
    ],
)
def test_it_does_not_fit(value, hint):
    assert not is_compatible(value, hint)


def test_a_hint_that_says_nothing_of_a_value_is_refused():
    with pytest.raises(NotImplementedError, match="Unsupported type"):
        is_compatible(1, TypeVar("T"))


def test_optional_is_taken_off():
    assert maybe_unwrap_optional(int | None) == (True, int)
    assert maybe_unwrap_optional(int | str | None) == (False, int | str | None)
    assert maybe_unwrap_optional(int) == (False, int)


def test_artifacts_are_told_by_their_types():
    assert is_artifact_multimap({"model": [Model()]})
    assert not is_artifact_multimap({"model": Model()})
    assert is_homogeneous_artifact_list([Model(), Model()])
    assert not is_homogeneous_artifact_list([Model(), Examples()])
    assert is_homogeneous_artifact_list([])
