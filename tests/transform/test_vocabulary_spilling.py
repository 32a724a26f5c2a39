"""Vocabularies larger than memory: files give what memory gives."""

from __future__ import annotations

import random
import tempfile
from collections import Counter

import numpy as np
import pyarrow as pa
import pytest

pytest.importorskip("tensorflow_transform", reason="pip install 'trainwright[transform]'")

from trainwright.data.example_reading.example_files import ExampleFiles  # noqa: E402
from trainwright.engine.packing import pack  # noqa: E402
from trainwright.storage.held_directories import is_held  # noqa: E402
from trainwright.transform import token_runs, vocabulary_counts  # noqa: E402
from trainwright.transform.accumulations import to_text  # noqa: E402
from trainwright.transform.phase_pass import PhasePass  # noqa: E402
from trainwright.transform.vocabulary_counts import (  # noqa: E402
    Ordering,
    VocabularyCounts,
    VocabularyKind,
)
from trainwright.transform.vocabulary_entries import VocabularyEntries  # noqa: E402


@pytest.fixture
def little_memory(monkeypatch):
    monkeypatch.setattr(vocabulary_counts, "_MOST_IN_MEMORY", 20)
    monkeypatch.setattr(token_runs, "_ROWS_PER_RANGE", 15)


def batches(dtype, seed=0):
    source = np.random.default_rng(seed)
    for _ in range(12):
        numbers = source.zipf(1.3, size=50) % 200
        if dtype == "string":
            yield np.array([b"\xff%d\n" % number for number in numbers], dtype=object)
        else:
            yield numbers.astype(np.int64)


def gather(kind, arrays, directory):
    counts = VocabularyCounts(kind, str(directory))
    for batch in arrays:
        counts.add(batch)
    return counts


def as_dict(counts):
    pairs = [pair for chunk in counts.chunks() for pair in chunk]
    found = dict(pairs)
    assert len(found) == len(pairs), "a token came twice"
    return found


@pytest.mark.parametrize("dtype", ["string", "int64"])
def test_counts_in_files_are_those_in_memory(tmp_path, little_memory, dtype):
    kind = VocabularyKind(Ordering.FREQUENCY, dtype)
    counts = gather(kind, ([batch] for batch in batches(dtype)), tmp_path)
    assert len(list(tmp_path.glob("*.arrow"))) > 3
    expected = Counter(token for batch in batches(dtype) for token in batch.tolist())
    assert as_dict(counts) == expected


def test_weights_in_files_are_those_in_memory(tmp_path, little_memory):
    kind = VocabularyKind(Ordering.WEIGHTED_FREQUENCY, "string")
    weighted = [[batch, np.arange(50) / 4] for batch in batches("string")]
    expected = Counter()
    for tokens, weights in weighted:
        for token, weight in zip(tokens.tolist(), weights.tolist(), strict=True):
            expected[token] += weight
    assert as_dict(gather(kind, weighted, tmp_path)) == expected


@pytest.mark.parametrize("is_weighted", [False, True])
def test_labels_in_files_are_those_in_memory(tmp_path, monkeypatch, is_weighted):
    ordering = Ordering.WEIGHTED_MUTUAL_INFORMATION if is_weighted else Ordering.MUTUAL_INFORMATION
    kind = VocabularyKind(ordering, "string")
    source = np.random.default_rng(1)
    arrays = []
    for batch in batches("string"):
        tokens = np.unique(batch)
        counts = source.integers(1, 5, size=len(tokens))
        positive = source.random((len(tokens), 3)) * counts[:, np.newaxis]
        weights = [source.random(len(tokens)) + 0.5] if is_weighted else []
        arrays.append([tokens, *weights, positive, counts])
    in_memory = as_dict(gather(kind, arrays, tmp_path))
    monkeypatch.setattr(vocabulary_counts, "_MOST_IN_MEMORY", 20)
    monkeypatch.setattr(token_runs, "_ROWS_PER_RANGE", 15)
    in_files = as_dict(gather(kind, arrays, tmp_path))
    assert list(tmp_path.glob("*.arrow"))
    assert in_files.keys() == in_memory.keys()
    for token, means in in_memory.items():
        np.testing.assert_allclose(in_files[token].mean, means.mean, rtol=1e-6)
        assert in_files[token].count == means.count
        np.testing.assert_allclose(in_files[token].weight, means.weight, rtol=1e-6)


@pytest.mark.parametrize("inline", [False, True])
def test_counts_travel_with_their_files_or_without(tmp_path, little_memory, inline):
    kind = VocabularyKind(Ordering.FREQUENCY, "string")
    shards = [
        gather(kind, ([batch] for batch in batches("string", seed)), tmp_path) for seed in (1, 2, 3)
    ]
    first, *others = (
        VocabularyCounts.deserialize(shard.serialize(inline=inline), kind, str(tmp_path))
        for shard in shards
    )
    for other in others:
        first.merge(other)
    expected = Counter(
        token for seed in (1, 2, 3) for batch in batches("string", seed) for token in batch.tolist()
    )
    assert as_dict(first) == expected


def test_ranges_of_runs_are_disjoint_and_complete(tmp_path, monkeypatch):
    monkeypatch.setattr(token_runs, "_ROWS_PER_RANGE", 10)
    source = random.Random(0)
    runs = [sorted(source.sample(range(300), size)) for size in (0, 1, 40, 90)]
    paths = [
        token_runs.write_run(pa.array(run, pa.int64()), pa.array(run, pa.int64()), str(tmp_path))
        for run in runs
    ]
    tables = list(token_runs.merge_runs(paths))
    assert len(tables) > 5
    found = [table.column("token").to_pylist() for table in tables]
    assert sorted(token for tokens in found for token in tokens) == sorted(
        token for run in runs for token in run
    )
    for before, after in zip(found, found[1:], strict=False):
        assert max(before) < min(after)


def test_entries_sort_over_files_as_in_memory(tmp_path):
    source = random.Random(0)
    entries = [(source.randrange(9), b"%d" % number) for number in range(100)]
    in_files = VocabularyEntries([entries[:30], [], entries[30:31], entries[31:]], str(tmp_path))
    assert len(list(tmp_path.glob("*.arrow"))) == 4
    assert in_files.count == 100
    assert list(in_files.sort(reverse=True)) == sorted(entries, reverse=True)
    by_token = sorted(entries, key=lambda entry: entry[1])
    assert list(in_files.sort(key=lambda entry: entry[1])) == by_token


def test_entries_with_two_keys_come_back_from_files(tmp_path):
    entries = [((0.5, 3.0), b"a"), ((float("-inf"), 1.0), 7)]
    in_files = VocabularyEntries([[entry] for entry in entries], str(tmp_path))
    assert list(in_files) == entries


def test_a_transform_is_the_same_from_files(paths, tmp_path, monkeypatch):
    from battery import handful
    from transform_results import assert_same, run_ours

    in_memory = run_ours(handful, paths, tmp_path)
    monkeypatch.setattr(vocabulary_counts, "_MOST_IN_MEMORY", 5)
    monkeypatch.setattr(token_runs, "_ROWS_PER_RANGE", 4)
    in_files = run_ours(handful, paths, tmp_path)
    assert len(in_memory.files) == 4
    assert_same(in_files, in_memory, tolerance=0)


def test_files_elsewhere_are_not_read(tmp_path):
    home, elsewhere = tmp_path / "home", tmp_path / "elsewhere"
    for directory in (home, elsewhere):
        directory.mkdir()
    kind = VocabularyKind(Ordering.FREQUENCY, "string")
    counts = VocabularyCounts(kind, str(elsewhere))
    tokens = pa.array([b"secret"])
    counts._runs.append(token_runs.write_run(tokens, pa.array([1]), str(elsewhere)))
    with pytest.raises(ValueError, match="which is not in"):
        VocabularyCounts.deserialize(counts.serialize(), kind, str(home))


def test_what_spills_elsewhere_is_held_and_goes_with_the_shard(tmp_path, monkeypatch):
    """So that the next process removes what a killed one has left."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    phase = PhasePass("", ExampleFiles().to_json(), to_text([]), "", carries_spilled=True)

    def accumulators():
        [directory] = tmp_path.glob("trainwright-phase-*")
        assert is_held(str(directory))
        yield pack(0, [])

    phase.merge_serialized(accumulators())
    assert list(tmp_path.iterdir()) == []
