"""Approximate vocabularies: exact while there is room, within the bound after that."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

pytest.importorskip("tensorflow_transform", reason="pip install 'trainwright[transform]'")

from tensorflow_transform.experimental import experimental_analyzers  # noqa: E402

from trainwright.transform import frequent_tokens  # noqa: E402
from trainwright.transform.frequent_tokens import repeatable  # noqa: E402


def combiner(top_k, dtype="string"):
    return repeatable(experimental_analyzers._VocabularyCombiner(top_k, dtype))


def batches(seed=0):
    source = np.random.default_rng(seed)
    for _ in range(40):
        tokens, counts = np.unique(source.zipf(1.2, size=400) % 3000, return_counts=True)
        yield np.array([b"%d" % token for token in tokens], dtype=object), counts


def test_frequencies_stay_within_the_bound(monkeypatch):
    monkeypatch.setattr(frequent_tokens, "_LEAST_KEPT", 50)
    sketch = combiner(50)
    shards = []
    for seed in (0, 1, 2):
        accumulator = sketch.create_accumulator()
        for batch in batches(seed):
            accumulator = sketch.add_input(accumulator, batch)
        coder = sketch.accumulator_coder
        shards.append(coder.decode_cache(coder.encode_cache(accumulator)))
    merged = sketch.merge_accumulators(shards)
    exact = Counter()
    for seed in (0, 1, 2):
        for tokens, counts in batches(seed):
            exact.update(dict(zip(tokens.tolist(), counts.tolist(), strict=True)))
    assert len(exact) > 500
    dropped = sum(exact.values()) - sum(merged.values())
    for token, count in exact.items():
        assert merged.get(token, 0) <= count <= merged.get(token, 0) + dropped / 51
    [found] = sketch.extract_output(merged)
    assert len(found) == 50
    assert [token for _, token in found[:5]] == [token for token, _ in exact.most_common(5)]


def test_with_room_for_all_it_is_exact_and_ordered():
    sketch = combiner(3, "int64")
    accumulator = sketch.add_input(
        sketch.create_accumulator(), (np.array([3, 111, 20, 4]), np.array([1.0, 2.0, 2.0, 2.0]))
    )
    [found] = sketch.extract_output(accumulator)
    assert found.tolist() == [[2.0, b"4"], [2.0, b"20"], [2.0, b"111"]]


def test_nothing_gives_a_token_that_nothing_equals():
    sketch = combiner(3)
    [[[frequency, _]]] = sketch.extract_output(sketch.create_accumulator())
    assert frequency == 1
