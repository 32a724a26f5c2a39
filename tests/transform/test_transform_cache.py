"""Analyses are not repeated once they are cached, and give the same."""

from __future__ import annotations

import os

import pytest

pytest.importorskip("tensorflow_transform", reason="pip install 'trainwright[transform]'")

import tensorflow_transform as tft  # noqa: E402
from transform_data import encode, make_rows, write_shards  # noqa: E402
from transform_results import assert_same, run_ours  # noqa: E402

from trainwright.transform.analyzer_cache import AnalyzerCache, Dataset  # noqa: E402
from trainwright.transform.phase_pass import PhasePass  # noqa: E402


@pytest.fixture(scope="module")
def datasets(tmp_path_factory):
    """Two spans."""
    directories = [tmp_path_factory.mktemp(name) for name in ("first", "second")]
    return [
        Dataset(
            directory.name,
            write_shards([encode(row) for row in make_rows(900, seed)], directory, shards=2),
        )
        for seed, directory in enumerate(directories)
    ]


@pytest.fixture
def shards_read(monkeypatch):
    """The phases' reads: the path of a file and how many analyzers read it."""
    read = []
    add = PhasePass.add

    def note(self, accumulator, shard, report):
        read.append((os.path.dirname(shard.config["path"]), len(self._accumulations)))
        return add(self, accumulator, shard, report)

    monkeypatch.setattr(PhasePass, "add", note)
    return read


def one_phase(inputs):
    return {
        "id": inputs["id"],
        "x": tft.scale_to_z_score(inputs["x"]),
        "y": tft.bucketize(inputs["y"], 7, epsilon=0.01),
        "word": tft.compute_and_apply_vocabulary(
            inputs["word"], labels=inputs["label"], vocab_filename="word"
        ),
        "key": tft.scale_to_0_1_per_key(inputs["x"], inputs["key"]),
    }


def analyze(function, datasets, directory, cache=None):
    # The rows of the first span stand for all; ids repeat.
    paths = datasets[0].paths
    return run_ours(function, paths, directory, datasets=datasets, cache=cache)


def test_a_second_span_alone_is_read(datasets, tmp_path, shards_read):
    without = analyze(one_phase, datasets, tmp_path)
    shards_read.clear()
    first = AnalyzerCache([], str(tmp_path / "first"))
    analyze(one_phase, datasets[:1], tmp_path, first)
    shards_read.clear()
    second = AnalyzerCache([str(tmp_path / "first")], str(tmp_path / "second"))
    with_cache = analyze(one_phase, datasets, tmp_path, second)
    spans = {os.path.basename(directory).rstrip("0123456789") for directory, _ in shards_read}
    assert spans == {"second"}
    assert_same(with_cache, without, tolerance=0)

    shards_read.clear()
    third = AnalyzerCache([str(tmp_path / "second")], str(tmp_path / "third"))
    assert_same(analyze(one_phase, datasets, tmp_path, third), without, tolerance=0)
    assert shards_read == []


def test_a_new_analyzer_reads_what_it_needs(datasets, tmp_path, shards_read):
    analyze(
        lambda inputs: {"id": inputs["id"], "x": tft.scale_to_z_score(inputs["x"])},
        datasets[:1],
        tmp_path,
        AnalyzerCache([], str(tmp_path / "first")),
    )
    shards_read.clear()
    analyze(
        lambda inputs: {
            "id": inputs["id"],
            "x": tft.scale_to_z_score(inputs["x"]),
            "y": tft.scale_to_z_score(inputs["y"]),
        },
        datasets[:1],
        tmp_path,
        AnalyzerCache([str(tmp_path / "first")], str(tmp_path / "second")),
    )
    assert [analyzers for _, analyzers in shards_read] == [1, 1, 1]


def test_a_later_phase_is_never_remembered(datasets, tmp_path, shards_read):
    def preprocessing_fn(inputs):
        return {"id": inputs["id"], "x": tft.scale_to_0_1(tft.scale_to_z_score(inputs["x"]))}

    for number in (0, 1):
        shards_read.clear()
        earlier = [str(tmp_path / "0")] if number else []
        cache = AnalyzerCache(earlier, str(tmp_path / str(number)))
        analyze(preprocessing_fn, datasets[:1], tmp_path, cache)
    assert len(shards_read) == 3


def test_another_decoder_of_the_same_files_has_other_entries(datasets, tmp_path):
    first, second = tmp_path / "first.pb", tmp_path / "second.pb"
    first.write_bytes(b"one way to decode")
    second.write_bytes(b"another way")
    views = [
        Dataset("span", datasets[0].paths, decoder_paths=paths)
        for paths in ([], [str(first)], [str(second)])
    ]
    AnalyzerCache([], str(tmp_path / "cache")).put(views[1], "entry", b"gathered")
    later = [AnalyzerCache([str(tmp_path / "cache")], str(tmp_path / "later")) for _ in views]
    found = [each.find(view, "entry") for each, view in zip(later, views, strict=True)]
    assert found == [None, b"gathered", None]
