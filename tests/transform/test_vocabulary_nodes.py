"""Choosing, ordering and writing the entries of a vocabulary."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

pytest.importorskip("tensorflow_transform", reason="pip install 'trainwright[transform]'")

from trainwright.transform.vocabulary_entries import VocabularyEntries  # noqa: E402
from trainwright.transform.vocabulary_nodes import (  # noqa: E402
    count_vocabulary,
    prune_vocabulary,
    write_vocabulary,
)

# Information, frequency; the letter is the key in tests of coverage.
INFORMATIVE = [
    ((5.0, 9), b"a1"),
    ((4.0, 1), b"a2"),
    ((3.0, 8), b"b1"),
    ((0, 7), b"b2"),
    ((-1.0, 6), b"c1"),
]


@pytest.fixture(params=["in memory", "in files"])
def entries(request, tmp_path):
    def make(pairs):
        chunks = [pairs] if request.param == "in memory" else [[pair] for pair in pairs]
        return VocabularyEntries(chunks, str(tmp_path))

    return make


def prune(entries, directory, **options):
    defaults = {
        "top_k": None,
        "frequency_threshold": 0,
        "informativeness_threshold": float("-inf"),
        "coverage_top_k": None,
        "coverage_frequency_threshold": 0,
        "coverage_informativeness_threshold": float("-inf"),
        "key_fn": None,
        "input_dtype": "string",
    }
    operation = SimpleNamespace(**{**defaults, **options})
    return [token for _, token in prune_vocabulary(operation, entries, str(directory))]


def write(entries, directory, reserved_tokens=None, **options):
    defaults = {
        "vocab_filename": "vocabulary",
        "store_frequency": False,
        "fingerprint_shuffle": False,
        "input_dtype": "string",
        "file_format": "text",
        "input_is_sorted": False,
    }
    operation = SimpleNamespace(**{**defaults, **options})
    path = write_vocabulary(operation, entries, reserved_tokens, str(directory)).item()
    with open(path, "rb") as file:
        return file.read()


def test_thresholds_look_at_frequency_and_at_information(entries, tmp_path):
    made = entries(INFORMATIVE)
    assert prune(made, tmp_path, frequency_threshold=7) == [b"a1", b"b1", b"b2"]
    assert prune(made, tmp_path, informativeness_threshold=1.0) == [b"a1", b"a2", b"b1"]


def test_the_best_are_the_most_informative(entries, tmp_path):
    assert prune(entries(INFORMATIVE), tmp_path, top_k=2) == [b"a1", b"a2"]


def test_each_key_is_covered(entries, tmp_path):
    options = {"top_k": 1, "coverage_top_k": 1, "key_fn": lambda token: token[:1]}
    made = entries(INFORMATIVE)
    assert prune(made, tmp_path, **options) == [b"a1", b"b1", b"c1"]
    options["coverage_frequency_threshold"] = 7
    assert prune(made, tmp_path, **options) == [b"a1", b"b1"]


def test_integers_become_text(entries, tmp_path):
    assert prune(entries([(3, 10), (2, -7)]), tmp_path, input_dtype="int64") == [b"10", b"-7"]


@pytest.mark.parametrize("name", ["top_k", "coverage_top_k", "frequency_threshold"])
def test_less_than_nothing_is_a_mistake(tmp_path, name):
    with pytest.raises(ValueError, match=rf"{name}=-1: expected 0 or more"):
        prune(VocabularyEntries([], str(tmp_path)), tmp_path, **{name: -1})


def test_the_largest_come_first_and_equals_by_token(entries, tmp_path):
    made = entries([(1, b"a"), (3, b"b"), (3, b"c"), (2, b"d")])
    assert write(made, tmp_path) == b"c\nb\nd\na\n"
    assert write(made, tmp_path, store_frequency=True) == b"3 c\n3 b\n2 d\n1 a\n"


def test_reserved_tokens_come_before_all_and_once(entries, tmp_path):
    made = entries([(1, b"a"), (3, b"b")])
    assert write(made, tmp_path, reserved_tokens=[b"<pad>", b"b"]) == b"<pad>\nb\na\n"


def test_an_empty_vocabulary_has_a_token_that_nothing_equals(entries, tmp_path):
    made = entries([])
    assert count_vocabulary(made) == 1
    assert len(write(made, tmp_path).splitlines()) == 1
